/** Tests the per-caller limits on a separate service that identifies callers by X-Forwarded-For. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey } from '../support/account-key.ts';
import { startService, stopService } from '../support/global-setup.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-limits-'));
const settings = { STATE_DIR: folder, RATE_LIMITS: 'on', TRUSTED_PROXY: 'on' };
let service: { child: ChildProcess; baseUrl: string };

beforeAll(async () => {
  service = await startService(settings);
});
afterAll(async () => {
  await stopService(service.child);
  rmSync(folder, { recursive: true, force: true });
});

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `198.51.100.${addresses}`;
};

function request(path: string, address: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'X-Forwarded-For': address, ...(init.headers as Record<string, string>) };
  return fetch(service.baseUrl + path, { ...init, headers });
}

function run(address: string, tool: unknown, parameters: unknown = {}, headers = {}) {
  return request('/api/v1/tools/execute', address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ tool, parameters }),
  });
}

/** Announces a request body of 8 MB but never sends it. Returns the status of the response. */
function statusWithoutBody(path: string, type: string, address: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = {
    'X-Forwarded-For': address,
    'Content-Type': type,
    'Content-Length': 8_000_000,
  };
  const sent = http.request(service.baseUrl + path, { method: 'POST', headers, agent: false });
  sent.on('response', ({ statusCode = 0 }) => {
    resolve(statusCode);
    sent.destroy();
  });
  sent.on('error', reject);
  sent.flushHeaders();
  return promise;
}

const encode = (address: string) => run(address, 'encode_base64', { text: 'a' });
const remaining = (response: Response) => Number(response.headers.get('X-RateLimit-Remaining'));

describe('the rate limits', () => {
  it('are reported in every response, in both styles of header', async () => {
    const requested = Date.now();
    const response = await encode(newAddress());
    const { headers } = response;
    expect(headers.get('RateLimit-Policy')).toBe('"execution";q=35;w=3600');
    expect(headers.get('RateLimit')).toBe('"execution";r=34;t=3600');
    expect(headers.get('X-RateLimit-Limit')).toBe('35');
    expect(headers.get('X-RateLimit-Remaining')).toBe('34');
    const reset = Number(headers.get('X-RateLimit-Reset'));
    expect(reset).toBeGreaterThanOrEqual(Math.floor(requested / 1000) + 3600);
    expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 3600);
  });

  it('are reported in a 405 response, which costs nothing', async () => {
    const address = newAddress();
    for (const [path, method, policy] of [
      ['/api/v1/tools/execute', 'GET', '"execution";r=35'],
      ['/api/v1/tools/chain', 'GET', '"chain";r=12'],
      ['/api/v1/search', 'GET', '"search";r=25'],
      ['/api/v1/tools', 'DELETE', '"catalogue";r=140'],
      ['/api/mcp', 'DELETE', '"mcp";r=30'],
      ['/files/abc/a.pdf', 'POST', '"files";r=120'],
    ] as const) {
      for (let call = 0; call < 2; call++) {
        const answer = await request(path, address, { method });
        expect([path, answer.status]).toEqual([path, 405]);
        expect(answer.headers.get('RateLimit')).toContain(policy);
      }
    }
  });

  it('do not apply to pages', async () => {
    const address = newAddress();
    const pages = [
      ...[
        '/',
        '/docs',
        '/docs/api',
        '/blog',
        '/how-to',
        '/how-to/repeat-a-call-safely',
        '/compare',
      ],
      ...['/tools/merge_pdf', '/tools/hash_text', '/chains', '/search', '/developers'],
    ];
    for (const path of pages) {
      const answer = await request(path, address, { headers: { Accept: 'text/html' } });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.has('RateLimit')).toBe(false);
    }
    expect(remaining(await encode(address))).toBe(34);
    const content = await request('/api/v1/content', address);
    expect(content.headers.get('RateLimit')).toMatch(/^"content";r=119/);
  });

  it('allow exactly 35 of 60 concurrent calls', async () => {
    const address = newAddress();
    const answers = await Promise.all(Array.from({ length: 60 }, () => encode(address)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(35);
    expect(statuses.filter((status) => status === 429)).toHaveLength(25);
  });

  it('allow 30 searches a minute on the search page, apart from the searches of the API', async () => {
    const address = newAddress();
    const pages = await Promise.all(
      Array.from({ length: 31 }, () => request('/search?q=merge', address)),
    );
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = pages.find(({ status }) => status === 429)!;
    expect(refused.headers.get('RateLimit-Policy')).toBe('"siteSearch";q=30;w=60');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    const api = await request('/api/v1/search', address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'merge' }),
    });
    expect(remaining(api)).toBe(24);
  });

  it('allow 25 searches an hour, including malformed ones, and 120 reads of the content a minute', async () => {
    const address = newAddress();
    const search = (query: unknown) =>
      request('/api/v1/search', address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query }),
      });
    expect(remaining(await search(''))).toBe(24);
    const answers = await Promise.all(Array.from({ length: 25 }, () => search('merge')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(24);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    const { headers } = await request('/api/v1/content', address);
    expect(headers.get('RateLimit-Policy')).toBe('"content";q=120;w=60');
  });

  it('refuse with 429, `rate_limited`, Retry-After and how to raise the limit', async () => {
    const address = newAddress();
    for (let call = 0; call < 35; call++) await encode(address);
    const response = await encode(address);
    expect(response.status).toBe(429);
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).toMatchObject({ code: 'rate_limited', error: expect.stringMatching(/API key/) });
    expect(Number(response.headers.get('Retry-After'))).toBe(body.retryAfter);
    expect(body.retryAfter).toBeGreaterThan(3500);
    expect(response.headers.get('RateLimit')).toMatch(/^"execution";r=0;t=\d+$/);
  });

  it('charge a malformed call one unit, and report the remaining quota in its response', async () => {
    const address = newAddress();
    const malformed = [
      await run(address, 'encode_base64', { text: 5 }),
      await run(address, 'no_such_tool'),
      await run(address, 'hash_text'),
      await request('/api/v1/tools/execute', address, { method: 'POST', body: 'text' }),
    ];
    expect(malformed.map(({ status }) => status)).toEqual([400, 400, 501, 415]);
    expect(malformed.map(remaining)).toEqual([34, 33, 32, 31]);
  });

  it('charge no tool unit for a call refused before the tool runs', async () => {
    const address = newAddress();
    for (const parameters of [{}, { url: 'ftp://example.com/' }, { url: 5 }]) {
      expect((await run(address, 'shorten_url', parameters)).status).toBe(400);
    }
    const good = await run(address, 'shorten_url', { url: 'https://example.com/' });
    expect(good.headers.get('RateLimit')).toBe('"shorten_url";r=29;t=3600');
  });

  it('charge the unit of a tool that ran and returned an error', async () => {
    const address = newAddress();
    const taken = { url: 'https://example.com/', customCode: 'taken-code' };
    const answers = [];
    for (let call = 0; call < 31; call++) answers.push(await run(address, 'shorten_url', taken));
    expect(answers.map(({ status }) => status)).toEqual([200, ...Array(29).fill(409), 429]);
    expect(answers[0]!.headers.get('RateLimit')).toMatch(/"shorten_url";r=29;/);
  });

  it('refuse a caller without remaining quota before the body arrives', async () => {
    const address = newAddress();
    const body = (tool: unknown) => ({
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(tool),
    });
    const spend: [path: string, type: string, call: RequestInit][] = [
      ['/api/v1/search', 'application/json', body({ query: 'merge' })],
      ['/api/mcp', 'application/json', body({ jsonrpc: '2.0', id: 1, method: 'ping' })],
      [
        '/api/v1/tools/chain',
        'application/json',
        body({ toolChain: [{ tool: 'encode_base64', parameters: { text: 'a' } }] }),
      ],
      [
        '/api/v1/tools/execute',
        'application/json',
        body({ tool: 'encode_base64', parameters: { text: 'a' } }),
      ],
      ['/api/v1/tools/execute', 'multipart/form-data; boundary=x', {}],
      ['/api/v1/uploads', 'application/json', body({ filename: 'a.txt' })],
      ['/tools/encode_base64', 'multipart/form-data; boundary=x', {}],
      ['/tools/encode_base64/run', 'multipart/form-data; boundary=x', {}],
      ['/chains', 'multipart/form-data; boundary=x', {}],
    ];
    for (const [path, type, call] of spend) {
      let refused = call.body === undefined;
      while (!refused) refused = (await request(path, address, call)).status === 429;
      expect([path, await statusWithoutBody(path, type, address)]).toEqual([path, 429]);
    }
  });

  it('charge no tool unit if the model of the tool is not configured', async () => {
    const address = newAddress();
    for (let call = 0; call < 5; call++) {
      const response = await run(address, 'generate_sql', { description: `users ${call}` });
      expect(response.status).toBe(501);
    }
  });

  it('check the general limit before a multipart body is read, and the limit of the tool after it', async () => {
    const address = newAddress();
    const send = () => {
      const form = new FormData();
      form.set('tool', 'upload_file');
      form.set('file', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
      return request('/api/v1/tools/execute', address, { method: 'POST', body: form });
    };
    const answers = await Promise.all(Array.from({ length: 5 }, send));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const sixth = await send();
    expect(sixth.status).toBe(429);
    expect(sixth.headers.get('RateLimit-Policy')).toBe('"upload_file";q=5;w=60');
    // The refused call also used one unit of the general limit.
    expect(remaining(await encode(address))).toBe(35 - 7);
  });

  it('charge nothing for a call refused by the limit of the tool when both limits are checked together', async () => {
    const address = newAddress();
    for (let call = 0; call < 30; call++) {
      await run(address, 'shorten_url', { url: 'https://example.com/' });
    }
    for (let call = 0; call < 3; call++) {
      const refused = await run(address, 'shorten_url', { url: 'https://example.com/' });
      expect(refused.status).toBe(429);
    }
    expect(remaining(await encode(address))).toBe(35 - 31);
  });

  it('count catalogue and stored files separately', async () => {
    const address = newAddress();
    const catalogue = await request('/api/v1/tools', address);
    expect(catalogue.headers.get('RateLimit')).toBe('"catalogue";r=139;t=3600');
    const missing = await request('/files/none/a.txt', address);
    expect(missing.status).toBe(404);
    expect(missing.headers.get('RateLimit')).toBe('"files";r=119;t=60');
  });

  it('do not apply to descriptions, health and pages', async () => {
    for (const path of ['/api/v1/openapi.json', '/health', '/']) {
      const { headers } = await request(path, newAddress());
      expect(headers.get('RateLimit')).toBe(null);
    }
  });

  it('refuse a bad key at every endpoint, and refuse further attempts after 20 wrong keys a minute', async () => {
    const address = newAddress();
    const wrong = { Authorization: 'Bearer tsk_wrong' };
    const answers = [
      await run(address, 'encode_base64', { text: 'a' }, wrong),
      await request('/api/v1/tools', address, { headers: wrong }),
      await request('/files/none/a.txt', address, { headers: { Authorization: 'Basic YTpi' } }),
    ];
    for (const response of answers) {
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: 'invalid_key' });
    }
    // The requests are concurrent, because sequential requests could take more than a minute on a slow machine.
    const guesses = Array.from({ length: 17 }, () =>
      request('/api/v1/tools', address, { headers: wrong }),
    );
    for (const { status } of await Promise.all(guesses)) expect(status).toBe(401);
    const refused = await request('/api/v1/tools', address, { headers: wrong });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    const again = await request('/api/v1/tools', address, { headers: wrong });
    expect(again.headers.get('RateLimit')).toMatch(/^"wrong-keys";r=0;t=\d+$/);
    expect((await request('/api/v1/tools', newAddress(), { headers: wrong })).status).toBe(401);
  });

  it('accept a valid key while someone guesses keys from the same address', async () => {
    const address = newAddress();
    const good = { Authorization: `Bearer ${await accountKey(folder)}` };
    expect((await request('/api/v1/tools', address, { headers: good })).status).toBe(200);
    for (let guess = 0; guess < 25; guess++) {
      await request('/api/v1/tools', address, { headers: { Authorization: 'Bearer tsk_wrong' } });
    }
    expect((await request('/api/v1/tools', address, { headers: good })).status).toBe(200);
  });

  it('report the exact usage to the owner of a key', async () => {
    const key = await accountKey(folder, { 'requests-per-day': '50' });
    const headers = { Authorization: `Bearer ${key}` };
    const address = newAddress();
    for (let call = 0; call < 3; call++)
      await run(address, 'encode_base64', { text: 'a' }, headers);
    const usage = await request('/api/v1/usage', address, { headers });
    const { keys } = (await usage.json()) as { keys: unknown[] };
    expect(keys).toMatchObject([{ today: { requests: 3, limit: 50, remaining: 47 } }]);
  });

  it('keep their counts after a restart', async () => {
    const address = newAddress();
    for (let call = 0; call < 4; call++) await encode(address);
    const headers = { Authorization: `Bearer ${await accountKey(folder)}` };
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await run(address, 'encode_base64', { text: 'a' }, headers);
    await stopService(service.child);
    service = await startService(settings);
    expect(remaining(await encode(address))).toBe(35 - 5);
    // The service wrote the usage before it stopped.
    const usage = await request('/api/v1/usage', address, { headers });
    expect(await usage.json()).toMatchObject({ days: [{ tool: 'encode_base64', calls: 1 }] });
  });
});

describe('the address of a caller', () => {
  it('is the last forwarded one behind a trusted proxy, IPv6 by its /64', async () => {
    const network = `2001:db8:${Date.now().toString(16).slice(-4)}:1`;
    await encode(`${newAddress()}, ${network}::1`);
    expect(remaining(await encode(`${network}:2:3:4:5`))).toBe(33);
  });

  it.each([
    ['a port', '203.0.113.80:4321', '203.0.113.80'],
    ['brackets', '[2001:db8:9:9::1]:4321', '2001:db8:9:9::1'],
    ['an IPv4-mapped form', '::ffff:cb00:7151', '203.0.113.81'],
  ])('is read with %s', async (_, written, plain) => {
    await encode(written);
    expect(remaining(await encode(plain))).toBe(33);
  });

  it('ignores a client header that the trusted proxy forwards unchanged', async () => {
    const address = newAddress();
    const counts = [];
    for (const forged of ['9.9.9.1', '9.9.9.2']) {
      const headers = { 'CF-Connecting-IP': forged };
      counts.push(remaining(await request('/api/v1/tools', address, { headers })));
    }
    expect(counts).toEqual([139, 138]);
  });
});
