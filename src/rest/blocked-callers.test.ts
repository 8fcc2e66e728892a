import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { forgetCachedLink } from '../../test/support/cached-links.ts';
import { makeKey, QUOTAS, storedFormOf } from '../access/api-keys.ts';
import { handle } from '../app.ts';
import type { BlockKind } from '../core/moderation.ts';
import { type Services, servicesOf } from '../services.ts';

const ORIGIN = 'http://localhost:8787';
const BLOCKED = '198.51.100.9';
const OTHER = '203.0.113.7';
const ACCOUNT = '22222222-2222-4222-8222-222222222222';

let services: Services;
beforeEach(async () => {
  await applyMigrations(env);
  services = servicesOf(env);
  await forgetCachedLink(ORIGIN, 'abc');
  await services.links.create('abc', 'https://a.example/', { address: OTHER });
  await services.blocks.reload();
});

const json = (value: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
});

function call(path: string, init: RequestInit, address: string, key?: string): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('CF-Connecting-IP', address);
  if (key) headers.set('Authorization', `Bearer ${key}`);
  const request = new Request(ORIGIN + path, { ...init, headers, redirect: 'manual' });
  return handle(request, env, createExecutionContext());
}

async function block(kind: BlockKind, value: string): Promise<void> {
  const act = { at: 0, who: 'shell:ann', act: 'block', subject: `${kind}:${value}`, note: 'n' };
  await services.moderation.block({ kind, value, note: 'n', createdAt: 0, expiresAt: null }, act);
  await services.blocks.reload();
}

const ENCODE = { tool: 'encode_base64', parameters: { text: 'a' } };
const USES: [string, string, RequestInit][] = [
  ['a tool', '/api/v1/tools/execute', json(ENCODE)],
  ['a chain', '/api/v1/tools/chain', json({ toolChain: [ENCODE] })],
  ['an upload address', '/api/v1/uploads', json({ filename: 'a', contentType: 'text/plain' })],
  ['usage', '/api/v1/usage', {}],
  ['MCP', '/api/mcp', json({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
  ['a stored file', '/files/0abcdefghijklmnopqrstuvwxyz/a.txt', {}],
  ['a short link', '/abc', {}],
  ['a report', '/abuse', json({ url: `${ORIGIN}/abc`, reason: 'spam' })],
];

describe('a blocked address', () => {
  it.each(USES)('gets 403 for %s, but another address does not', async (_, path, init) => {
    await block('network', `${BLOCKED}/32`);
    const refused = await call(path, init, BLOCKED);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('The operator blocked this address');
    expect((await call(path, init, OTHER)).status).not.toBe(403);
  });

  it.each(['/contact', '/privacy', '/terms', '/abuse', '/.well-known/security.txt'])(
    'can read %s',
    async (path) => {
      await block('network', `${BLOCKED}/32`);
      expect((await call(path, {}, BLOCKED)).status).toBe(200);
    },
  );
});

describe.each(['key', 'account'] as const)('a blocked %s', (kind) => {
  it('gets 403 invalid_key with its key from any address', async () => {
    await env.ACCOUNTS.prepare("INSERT INTO accounts (id, name, created_at) VALUES (?, 'Name', 0)")
      .bind(ACCOUNT)
      .run();
    const secret = makeKey();
    const form = await storedFormOf(secret);
    const key = { id: 'k1', accountId: ACCOUNT, kind: 'persistent', name: 'k' } as const;
    await services.keys.create(
      { ...key, expiresAt: null, ...form, ...QUOTAS.persistent },
      Date.now(),
      { working: 20, inADay: 20 },
    );
    const use = () => call('/api/v1/tools/execute', json(ENCODE), OTHER, secret);
    expect((await use()).status).toBe(200);
    await block(kind, kind === 'key' ? 'k1' : ACCOUNT);
    const refused = await use();
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'invalid_key' });
  });
});
