/** Tests the limits of MCP on a separate service, which identifies callers by X-Forwarded-For. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_ENDPOINT } from '../../src/catalogue/mcp-endpoints.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { modelServer } from '../support/model-server-address.ts';
import { callOf, post, request } from './post.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-mcp-limits-'));
let service: { child: ChildProcess; baseUrl: string };

beforeAll(async () => {
  service = await startService({
    STATE_DIR: folder,
    RATE_LIMITS: 'on',
    TRUSTED_PROXY: 'on',
    OPENAI_BASE_URL: modelServer,
    MODEL_TEXT: 'writer',
  });
});
afterAll(async () => {
  await stopService(service.child);
  rmSync(folder, { recursive: true, force: true });
});

/** The header of an MP4 file. It passes the type check, but cannot be decoded. */
const TINY_VIDEO = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1').toString('base64');

let addresses = 0;
function caller() {
  addresses += 1;
  const headers = { 'X-Forwarded-For': `198.51.100.${addresses}` };
  return (message: unknown, domain?: string) =>
    post(message, { to: service.baseUrl, headers, ...(domain && { domain }) });
}

const remaining = ({ headers }: { headers: Headers }) =>
  Number(headers.get('X-RateLimit-Remaining'));
const hello = callOf('encode_base64', { text: 'hi' });

describe('the limit of MCP', () => {
  it('is reported in response to GET, which charges nothing', async () => {
    for (let call = 0; call < 3; call++) {
      const got = await fetch(`${service.baseUrl}/api/mcp`, {
        headers: { 'X-Forwarded-For': '198.51.100.250' },
      });
      expect([got.status, remaining(got)]).toEqual([405, 30]);
      expect(got.headers.get('RateLimit')).toMatch(/^"mcp";r=30/);
    }
  });

  it('is reported for an unknown domain too, where a bad key returns 401', async () => {
    const send = caller();
    const answer = await send(request('ping'), 'nothing');
    expect([answer.status, remaining(answer)]).toEqual([404, 30]);
    const keyed = await fetch(`${service.baseUrl}/api/mcp/nothing`, {
      method: 'POST',
      headers: { Authorization: 'Bearer tsk_nothing', 'X-Forwarded-For': '198.51.100.251' },
    });
    expect(keyed.status).toBe(401);
  });

  it('is shared by all endpoints, charges every request, and is reported in every response', async () => {
    const send = caller();
    const answers = [
      await send(hello),
      await send(request('tools/list'), 'dev'),
      await send(request('ping'), 'web'),
      await send(callOf('none')),
      await send('{'),
      await send(callOf('encode_base64', {})),
    ];
    expect(answers.map(remaining)).toEqual([29, 28, 27, 26, 25, 24]);
    expect(answers[0]!.headers.get('RateLimit-Policy')).toBe('"mcp";q=30;w=60');
  });

  it('charges each request of a batch and no notification', async () => {
    const send = caller();
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(remaining(await send([hello, note, request('ping')]))).toBe(28);
    expect(remaining(await send(note))).toBe(28);
  });

  it('refuses with HTTP 429, -32000 and Retry-After, and refuses items of a batch separately', async () => {
    const send = caller();
    const batch = Array.from({ length: 30 }, (_, id) => request('ping', {}, id));
    expect((await send(batch)).status).toBe(200);
    for (const message of [hello, request('tools/list'), request('ping')]) {
      const refused = await send(message);
      expect(refused.status).toBe(429);
      expect(refused.body).toMatchObject({
        id: 1,
        error: { code: -32000, data: { code: 'rate_limited' } },
      });
      expect(Number(refused.headers.get('Retry-After'))).toBe(refused.body.error.data.retryAfter);
    }
    const both = await send([request('ping', {}, 'a'), request('ping', {}, 'b')]);
    expect(both.status).toBe(429);
    expect(both.body).toMatchObject([
      { id: 'a', error: { code: -32000 } },
      { id: 'b', error: { code: -32000 } },
    ]);
  });

  it('charges nothing for a call refused with 429 by the limit of its tool', async () => {
    const send = caller();
    const outline = (id: number) => callOf('generate_blog_outline', { topic: 'x' }, id);
    const batch = await send(Array.from({ length: 12 }, (_, id) => outline(id)));
    expect(batch.status).toBe(200);
    const codes = batch.body.map((answer: { error?: { code: number } }) => answer.error?.code);
    expect(codes.slice(10)).toEqual([-32000, -32000]);
    expect(codes.slice(0, 10).some((code: number) => code === -32000)).toBe(false);
    const single = await send(outline(99));
    expect([single.status, single.body.id]).toEqual([429, 99]);
    expect(remaining(await send(hello))).toBe(30 - 12 - 1);
  });

  it('charges no tool unit for a malformed call', async () => {
    const send = caller();
    await send(callOf('shorten_url', { url: 'ftp://example.com' }));
    const good = await send(callOf('shorten_url', { url: 'https://example.com/' }));
    expect(good.body.result.isError).toBeUndefined();
    // The header reports the policy that is closest to its limit. MCP has 28 of 30 units left, and the tool has 29 of
    // 30.
    expect(good.headers.get('RateLimit')).toMatch(/^"mcp";r=28/);
  });

  it('charges the unit of a tool that ran and returned an error', async () => {
    const taken = { url: 'https://example.com/', customCode: 'taken-code' };
    await caller()(callOf('shorten_url', taken));
    const send = caller();
    const batch = Array.from({ length: 29 }, (_, id) => callOf('shorten_url', taken, id));
    for (const answer of (await send(batch)).body) expect(answer.result.isError).toBe(true);
    const last = await fetch(`${service.baseUrl}/api/v1/tools/execute`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': `198.51.100.${addresses}`,
      },
      body: JSON.stringify({ tool: 'shorten_url', parameters: { url: 'https://example.com/' } }),
    });
    expect(last.headers.get('RateLimit')).toMatch(/^"shorten_url";r=0/);
  });

  it('gives an anonymous caller without quota a result that explains how to get a key', async () => {
    const send = caller();
    for (let index = 0; index < 3; index++) await send(callOf('draft_email', { prompt: 'hello' }));
    const spent = await send(callOf('draft_email', { prompt: 'hello' }));
    expect(spent.status).toBe(200);
    expect(spent.body.result.isError).toBe(true);
    expect(spent.body.result.content[0].text).toMatch(/developers/);
  });
});

describe('the agent endpoint charges units of', () => {
  const path = AGENT_ENDPOINT.path;
  /** Returns the headers of a new caller, and a function that sends messages with them. */
  function agent() {
    addresses += 1;
    const headers = { 'X-Forwarded-For': `198.51.100.${addresses}` };
    const send = (message: unknown) => post(message, { to: service.baseUrl, headers, path });
    return { headers, send };
  }
  /** Sends one batch with more calls than the limit. Returns the number of admitted calls. */
  async function admitted(name: string, given: object, calls: number): Promise<number> {
    const batch = Array.from({ length: calls }, (_, id) => callOf(name, given, id));
    const { body } = await agent().send(batch);
    const refused = body.filter(
      ({ error }: { error?: { code: number } }) => error?.code === -32000,
    );
    return calls - refused.length;
  }

  it.each([
    ['read_document', { fileUrl: 'data:,hello' }, 20],
    ['search_docs', { query: 'links' }, 25],
    ['run_chain', { toolChain: [{ tool: 'encode_base64', parameters: { text: 'a' } }] }, 12],
    ['transcode_video', { fileUrl: `data:video/mp4;base64,${TINY_VIDEO}` }, 5],
  ])('%s', async (name, given, limit) => {
    expect(await admitted(name, given, limit + 1)).toBe(limit);
  });

  it('the tool of each step, and one of MCP for each step', async () => {
    const { send } = agent();
    const step = { tool: 'generate_blog_outline', parameters: { topic: 'x' } };
    await send(callOf('run_chain', { toolChain: [step, step, step] }));
    expect(remaining(await send(request('ping')))).toBe(30 - 3 - 1);
    const batch = Array.from({ length: 8 }, (_, id) => callOf(step.tool, step.parameters, id));
    const { body } = await send(batch);
    const codes = body.map(({ error }: { error?: { code: number } }) => error?.code);
    expect(codes.indexOf(-32000)).toBe(7);
  });

  it('create_upload, shared with REST', async () => {
    const { send, headers } = agent();
    await send(callOf('create_upload', { filename: 'a.pdf' }));
    const response = await fetch(`${service.baseUrl}/api/v1/uploads`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ filename: 'a.pdf', contentType: 'application/pdf' }),
    });
    expect(response.headers.get('RateLimit')).toMatch(/^"uploads";r=118/);
  });

  it('no tool for a call refused before it runs', async () => {
    const { send } = agent();
    for (let call = 0; call < 6; call++) {
      await send(callOf('transcode_video', { fileUrl: 'data:,no%20video' }));
    }
    const given = { fileUrl: `data:video/mp4;base64,${TINY_VIDEO}` };
    expect((await send(callOf('transcode_video', given))).status).toBe(200);
  });
});
