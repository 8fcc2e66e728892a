import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../../test/support/apply-migrations.ts';
import { softwarePasskey } from '../../../test/support/software-passkey.ts';
import { beginSession } from '../../access/accounts/sessions.ts';
import { handle } from '../../app.ts';
import { servicesOf } from '../../services.ts';

const MINUTE_MS = 60_000;
const ORIGIN = 'http://localhost:8787';
const ANN = '11111111-1111-4111-8111-111111111111';
const BOB = '22222222-2222-4222-8222-222222222222';
const OWN_ADDRESS = '203.0.113.7';
const ENV = { ...env, ADMIN_ACCOUNTS: ANN };
const NO_OPERATORS = { ...env };

interface Call {
  method?: string;
  cookie?: string;
  origin?: string | null;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string;
}

function call(path: string, request: Call = {}, bindings: Cloudflare.Env = ENV): Promise<Response> {
  const { fields, cookie = '', origin = ORIGIN, headers, body } = request;
  const { method = fields ? 'POST' : 'GET' } = request;
  return handle(
    new Request(ORIGIN + path, {
      method,
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        'CF-Connecting-IP': OWN_ADDRESS,
        ...(cookie && { Cookie: cookie }),
        ...(method === 'POST' && origin !== null && { Origin: origin }),
        ...headers,
      },
      ...(fields && { body: new URLSearchParams(fields) }),
      ...(body !== undefined && { body }),
    }),
    bindings,
    createExecutionContext(),
  );
}

/**
 * Returns the cookie of a session whose owner used a passkey `minutes` minutes ago, or never used one if `minutes` is
 * null.
 */
async function signedIn(accountId: string, minutes: number | null = 0): Promise<string> {
  const { sessions } = servicesOf(ENV);
  const then = Date.now() - (minutes ?? 0) * MINUTE_MS;
  const by = minutes === null ? undefined : 'passkey';
  const cookie = await beginSession(new Request(ORIGIN), accountId, sessions, then, by);
  return cookie.split(';', 1)[0]!;
}

const acts = async () => (await env.ACCOUNTS.prepare('SELECT * FROM admin_acts').all()).results;

const BLOCK = { act: 'block', subject: 'network:198.51.100.0/24', note: 'spam <b>runs</b>' };

beforeEach(async () => {
  await applyMigrations(env);
  for (const id of [ANN, BOB]) {
    await env.ACCOUNTS.prepare('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, 0)')
      .bind(id, 'Name')
      .run();
  }
  await servicesOf(ENV).blocks.reload();
});

describe('/admin', () => {
  it('returns 404 to anyone but an operator for every request', async () => {
    const bob = await signedIn(BOB);
    const ann = await signedIn(ANN);
    const requests: [string, Call][] = [
      ['/admin', {}],
      ['/admin', { method: 'POST' }],
      ['/admin/newest', {}],
      ['/admin/find?q=link:abc', {}],
      ['/admin/act', { fields: BLOCK }],
      ['/admin/confirm', { method: 'POST' }],
      ['/admin/confirm/options', { method: 'POST' }],
    ];
    for (const [path, request] of requests) {
      expect((await call(path, request)).status).toBe(404);
      expect((await call(path, { ...request, cookie: bob })).status).toBe(404);
      expect((await call(path, { ...request, cookie: ann }, NO_OPERATORS)).status).toBe(404);
    }
    const other = await call('/admin', { cookie: bob });
    const unknown = await call('/no-such-page/at-all', { cookie: bob });
    expect((await other.text()).length).toBeLessThan((await unknown.text()).length + 200);
    expect(await acts()).toEqual([]);
  });

  it('shows an operator the open reports, with no-store and noindex', async () => {
    const response = await call('/admin', { cookie: await signedIn(ANN, null) });
    expect(response.status).toBe(200);
    expect(response.headers.get('X-Robots-Tag')).toBe('noindex');
    expect(response.headers.get('Cache-Control')).toContain('no-store');
    const text = await response.text();
    expect(text).toContain('Open reports');
    expect(text).toContain('Confirm with your passkey');
  });

  it.each(['/admin/none', '/admin/act', '/admin/find?q=link:none-such'])(
    'returns 404 at %s, with the operator’s page',
    async (path) => {
      const response = await call(path, { cookie: await signedIn(ANN) });
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('Administration');
    },
  );
});

describe('an operator’s change', () => {
  it.each([
    ['never confirmed with a passkey', null],
    ['confirmed 15 minutes ago', 15],
  ])('is refused if the operator %s', async (_, minutes) => {
    const cookie = await signedIn(ANN, minutes);
    const response = await call('/admin/act', { cookie, fields: BLOCK });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Confirm with your passkey first');
    expect(await acts()).toEqual([]);
  });

  it.each([
    ['another site', 'https://evil.example', 404],
    ['another port', 'http://localhost:9999', 404],
    ['a request without an Origin', null, 403],
  ])('is refused if it comes from %s', async (_, origin, status) => {
    const cookie = await signedIn(ANN);
    const response = await call('/admin/act', { cookie, origin, fields: BLOCK });
    expect([403, status]).toContain(response.status);
    expect(await acts()).toEqual([]);
  });

  it('applies at once in this isolate and records who, what, when and why', async () => {
    const cookie = await signedIn(ANN, 14);
    const from = { headers: { 'CF-Connecting-IP': '198.51.100.9', Accept: '*/*' } };
    expect((await call('/api/v1/tools', from)).status).toBe(200);
    const response = await call('/admin/act', { cookie, fields: BLOCK });
    expect(response.status).toBe(303);
    const next = response.headers.get('Location')!;
    expect(next).toBe('/admin/find?q=network%3A198.51.100.0%2F24&done=block');

    const refused = await call('/api/v1/usage', from);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'bad_request' });
    expect(await acts()).toMatchObject([
      {
        who: `account:${ANN}`,
        act: 'block without expiry',
        subject: BLOCK.subject,
        note: BLOCK.note,
        at: expect.any(Number),
      },
    ]);
    const text = await (await call(next, { cookie })).text();
    expect(text).toContain('Done: block');
    expect(text).toContain('spam &lt;b&gt;runs&lt;/b&gt;');
    expect(text).not.toContain('<b>runs');
  });

  it.each([`network:${OWN_ADDRESS}`, 'network:203.0.113.0/24', `account:${ANN}`])(
    'is refused if it would lock out the operator: %s',
    async (subject) => {
      const cookie = await signedIn(ANN);
      const response = await call('/admin/act', { cookie, fields: { ...BLOCK, subject } });
      expect(response.status).toBe(409);
      expect(await response.text()).toContain('lock you out');
      expect(await acts()).toEqual([]);
    },
  );

  it('is refused if it blocks the operator’s own loopback address in any spelling', async () => {
    const cookie = await signedIn(ANN);
    const fields = { ...BLOCK, subject: 'network:127.0.0.1' };
    const headers = { 'CF-Connecting-IP': '::1' };
    expect((await call('/admin/act', { cookie, fields, headers })).status).toBe(409);
  });
});

describe('an operator’s confirmation', () => {
  const JSON_TYPE = { 'Content-Type': 'application/json', Accept: '*/*' };
  const PAGE = '/admin/find?q=link%3Aabc';

  /** Confirms with a passkey as an operator whose last confirmation is too old. */
  async function confirm(owner: string): Promise<Response> {
    const passkey = await softwarePasskey('credential', owner);
    expect(await servicesOf(ENV).accounts.addPasskey(passkey.stored)).toBe(true);
    const cookie = await signedIn(ANN, 20);
    const request = { method: 'POST', cookie, headers: { ...JSON_TYPE, Referer: ORIGIN + PAGE } };
    const options = await call('/admin/confirm/options', request);
    const proof = await passkey.prove(await options.json(), ORIGIN);
    return call('/admin/confirm', { ...request, body: JSON.stringify(proof) });
  }

  it('with the operator’s passkey starts a session that allows changes', async () => {
    const response = await confirm(ANN);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ goTo: PAGE });
    const cookie = response.headers.get('Set-Cookie')!.split(';', 1)[0]!;
    expect((await call('/admin/act', { cookie, fields: BLOCK })).status).toBe(303);
  });

  it('with another account’s passkey is refused', async () => {
    const response = await confirm(BOB);
    expect(response.status).toBe(403);
    expect(response.headers.get('Set-Cookie')).toBeNull();
  });
});

it('a stolen operator session cannot add a passkey and confirm with it', async () => {
  const cookie = await signedIn(ANN, 20);
  for (const path of ['/developers/passkeys/options', '/developers/passkeys']) {
    const headers = { 'Content-Type': 'application/json', Accept: '*/*' };
    const response = await call(path, { method: 'POST', cookie, headers });
    expect(response.status).toBe(403);
    expect(((await response.json()) as { error: string }).error).toContain('Open /admin');
  }
});
