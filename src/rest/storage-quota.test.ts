/**
 * Tests requests from an IP address that has used its anonymous storage quota of 2 GB for the day. Every path that
 * writes must return an error, and everything else must work.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { ANONYMOUS_BYTES_PER_DAY } from '../access/api-keys.ts';
import { callerSubject } from '../access/charges.ts';
import { dailyBytes } from '../access/storage-budget.ts';
import { handle } from '../app.ts';
import { MB } from '../core/limits.ts';

const ORIGIN = 'http://localhost:8787';
const OTHER = '203.0.113.7';
/** The remaining quota, which is smaller than anything that the requests write. */
const LEFT_BYTES = 10;

const bindings = { ...env, RATE_LIMITS: 'on' };

let addresses = 0;
let spent: string;
beforeEach(async () => {
  await applyMigrations(env);
  addresses += 1;
  spent = `198.51.100.${addresses}`;
  await counters().take([
    dailyBytes(ANONYMOUS_BYTES_PER_DAY, ANONYMOUS_BYTES_PER_DAY - LEFT_BYTES),
  ]);
});

const counters = () => env.LIMITS.getByName(callerSubject({ address: spent }));

async function leftBytes(): Promise<number | undefined> {
  const [left] = await counters().remainingQuotas([dailyBytes(ANONYMOUS_BYTES_PER_DAY, 0)]);
  return left?.remaining;
}

function call(path: string, init: RequestInit, address: string): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('CF-Connecting-IP', address);
  return handle(
    new Request(ORIGIN + path, { ...init, headers }),
    bindings,
    createExecutionContext(),
  );
}

const json = (value: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json', ...headers },
});
const execute = (text: string, headers = {}) =>
  json({ tool: 'encode_base64', parameters: { text } }, headers);
/** The bytes are random, so they barely compress. */
const text = () => crypto.getRandomValues(new Uint8Array(30_000)).toHex();

/** Returns a gzip file that cannot be compressed any further. */
function archive(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  bytes.set([0x1f, 0x8b, 8, 0]);
  return bytes;
}

function upload(size: number): RequestInit {
  const body = new FormData();
  body.append('tool', 'upload_file');
  body.append('file', new Blob([archive(size)], { type: 'application/gzip' }), 'a.gz');
  return { method: 'POST', body };
}

async function put(address: string): Promise<Response> {
  const created = await call('/api/v1/uploads', json({ filename: 'a.gz' }), address);
  const { uploadUrl } = (await created.json()) as { uploadUrl: string };
  const path = new URL(uploadUrl).pathname;
  return call(path, { method: 'PUT', body: archive(1000) }, address);
}

const EXECUTE = '/api/v1/tools/execute';
const WRITES: [string, (address: string) => Promise<Response>][] = [
  ['an upload', (address) => call(EXECUTE, upload(1000), address)],
  ['an upload that is spooled', (address) => call(EXECUTE, upload(9 * MB), address)],
  ['an upload to its own address', put],
  ['an input', (address) => call('/api/v1/inputs', upload(1000), address)],
  [
    'a stored answer',
    (address) => call(EXECUTE, execute('a', { 'Idempotency-Key': crypto.randomUUID() }), address),
  ],
  ['a job', (address) => call(EXECUTE, execute(text(), { Prefer: 'respond-async' }), address)],
];

const callTool = (given: string) =>
  json({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'encode_base64', arguments: { text: given } },
  });

describe('an address that has stored 2 GB within a day', () => {
  it.each(WRITES)(
    'gets 429 for %s, which leaves nothing, and another address does not',
    async (_, write) => {
      const before = await env.FILES.list();
      const refused = await write(spent);
      expect([refused.status, await refused.json()]).toMatchObject([
        429,
        {
          code: 'rate_limited',
          error: expect.stringContaining('your storage quota of 2 GB a day'),
        },
      ]);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(await leftBytes()).toBe(LEFT_BYTES);
      expect((await env.FILES.list()).objects.length).toBe(before.objects.length);
      expect((await write(OTHER)).ok).toBe(true);
    },
  );

  it.each(['/api/mcp', '/api/agent/mcp'])('gets an error for a long result at %s', async (path) => {
    const answer = await call(path, callTool(text()), spent);
    expect((await answer.text()).slice(0, 1000)).toContain('storage quota of 2 GB a day');
    expect(await leftBytes()).toBe(LEFT_BYTES);
    const other = await (await call(path, callTool(text()), OTHER)).text();
    expect(other.slice(-1000)).toContain('fullResultUrl');
  });

  it('gets direct answers of any size, short MCP results and short links', async () => {
    const shorten = json({ tool: 'shorten_url', parameters: { url: 'https://a.example/' } });
    for (const [path, init] of [
      [EXECUTE, execute(text())],
      [EXECUTE, shorten],
      ['/api/v1/tools', {}],
    ] as const) {
      expect((await call(path, init, spent)).status).toBe(200);
    }
    expect(await (await call('/api/mcp', callTool('a'), spent)).text()).toContain('YQ==');
  });
});
