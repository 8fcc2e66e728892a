/** Tests when isolates notice that a key has changed. Each `Access` object represents an isolate. */
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { D1Keys } from '../adapters/d1-keys.ts';
import { D1Moderation } from '../adapters/d1-moderation.ts';
import type { CountersOf } from '../core/counters.ts';
import { type KeyRecord, versionOf } from '../core/key-store.ts';
import { Access } from './access.ts';
import { makeKey, QUOTAS, storedFormOf } from './api-keys.ts';
import { Blocks } from './blocks.ts';
import type { GeneralLimit } from './general-limits.ts';

const NOW = Date.now();
const keys = new D1Keys(env.ACCOUNTS);
const moderation = new D1Moderation(env.ACCOUNTS, env.LINKS);

let id: string;
let secret: string;
/** The number of times that isolates have looked up a secret. */
let lookUps: number;
/** Whether the Durable Objects can be reached. */
let isReachable: boolean;

const counters: CountersOf = (subject) => {
  if (!isReachable) throw new Error('out of reach');
  return env.LIMITS.getByName(subject);
};

function isolate() {
  const find = (hash: string) => {
    lookUps += 1;
    return keys.find(hash);
  };
  const blocks = new Blocks(
    () => moderation.snapshot(Date.now()),
    () => {},
    undefined,
    // The fake clock does not advance, so only `reload` reads the list again.
    () => NOW,
  );
  const known = { keys: { find }, sessions: { find: async () => null } };
  const access = new Access(known, counters, { note: () => {} }, blocks, false);
  const call = async (key = secret, general: GeneralLimit = 'content') => {
    const request = new Request('https://example.com/', {
      headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': `2001:db8::${id}` },
    });
    let limit: string | undefined;
    const carry = (headers: Record<string, string>) => {
      limit = headers['X-RateLimit-Limit'];
    };
    try {
      await (await access.startAdmission(request, general, carry)).chargeGeneral();
      return limit;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  return { access, blocks, call };
}

const stored = async () => (await keys.get(id)) as KeyRecord;

beforeAll(async () => {
  await applyMigrations(env);
  await env.ACCOUNTS.prepare(
    "INSERT INTO accounts (id, name, created_at) VALUES ('changing', 'A', 0)",
  ).run();
});

beforeEach(async () => {
  id = `changing-${crypto.randomUUID()}`;
  secret = makeKey();
  lookUps = 0;
  isReachable = true;
  await keys.create(
    {
      id,
      accountId: 'changing',
      kind: 'persistent',
      name: 'n',
      expiresAt: null,
      ...QUOTAS.persistent,
      ...(await storedFormOf(secret)),
    },
    NOW,
    { working: 100, inADay: 100 },
  );
});

afterEach(() => vi.useRealTimers());

describe('an API key', () => {
  it('is looked up once per isolate', async () => {
    const { call } = isolate();
    for (let count = 0; count < 3; count += 1) expect(await call()).toBe('120');
    expect(lookUps).toBe(1);
  });

  it('is refused in every isolate on the next call after revocation', async () => {
    const [one, other] = [isolate(), isolate()];
    for (const { call } of [one, other]) expect(await call()).toBe('120');
    await keys.revoke(id, 'changing', NOW);
    await one.access.keysChanged([id]);
    for (const { call } of [one, other, other]) expect(await call()).toBe('key_revoked');
  });

  it('causes one more lookup per isolate after revocation', async () => {
    const { access, call } = isolate();
    await call();
    await keys.revoke(id, 'changing', NOW);
    await access.keysChanged([id]);
    for (let count = 0; count < 3; count += 1) await call();
    expect(lookUps).toBe(2);
  });

  it('is always reported as key_revoked and costs its address no guesses', async () => {
    const { access, call } = isolate();
    await call();
    await keys.revoke(id, 'changing', NOW);
    await access.keysChanged([id]);
    const told = [];
    for (let count = 0; count < 25; count += 1) told.push(await call());
    expect(new Set(told)).toEqual(new Set(['key_revoked']));
    const guesses = [];
    for (let count = 0; count < 21; count += 1) guesses.push(await call(makeKey()));
    expect(guesses).toEqual([...Array(20).fill('invalid_key'), 'rate_limited']);
    expect(await isolate().call()).toBe('key_revoked');
  });

  it('is refused after its row is deleted', async () => {
    const { access, call } = isolate();
    await call();
    await env.ACCOUNTS.prepare('DELETE FROM api_keys WHERE id = ?').bind(id).run();
    await access.keysChanged([id]);
    expect(await call()).toBe('invalid_key');
  });

  it('has its new quotas on the next call', async () => {
    const { access, call } = isolate();
    await call();
    const act = { at: NOW, who: 'account:x', act: 'quotas', subject: `key:${id}`, note: 'n' };
    await moderation.setQuotas(id, { ...QUOTAS.persistent, requestsPerDay: 2 }, act);
    await access.keysChanged([id]);
    expect([await call(), await call()]).toEqual(['2', 'quota_exceeded']);
  });

  it('works with the new secret at once, and with the old one until the overlap ends', async () => {
    const { access, call } = isolate();
    await call();
    const renewed = makeKey();
    const rotate = { ...(await stored()), accountId: 'changing' };
    await keys.rotate(rotate, await storedFormOf(renewed), NOW, NOW + 3_600_000);
    await access.keysChanged([id]);
    expect([await call(renewed), await call()]).toEqual(['120', '120']);
    await keys.endOverlap(id, 'changing', NOW);
    await access.keysChanged([id]);
    expect([await call(renewed), await call()]).toEqual(['120', 'key_expired']);
  });

  it('works with a new secret that its Durable Object was not told about', async () => {
    const { call } = isolate();
    await call();
    const renewed = makeKey();
    const rotate = { ...(await stored()), accountId: 'changing' };
    await keys.rotate(rotate, await storedFormOf(renewed), NOW, NOW);
    expect([await call(renewed), await call()]).toEqual(['120', 'key_expired']);
  });

  it('is looked up on every call while its Durable Object is unreachable', async () => {
    const { call } = isolate();
    await call();
    isReachable = false;
    expect(await call()).toBeUndefined();
    await keys.revoke(id, 'changing', NOW);
    expect(await call()).toBe('key_revoked');
  });

  it('is refused once an isolate reads the operator’s revocation from the shell', async () => {
    const { blocks, call } = isolate();
    await call();
    const act = { at: Date.now(), who: 'shell', act: 'revoke', subject: `key:${id}`, note: 'n' };
    await moderation.revokeKey(id, act);
    expect(await call()).toBe('120');
    await blocks.reload();
    expect(await call()).toBe('key_revoked');
  });

  it('works with its Durable Object unreachable after a quota change, but not after revocation', async () => {
    const { blocks, call } = isolate();
    await call();
    isReachable = false;
    const act = { at: Date.now(), who: 'shell', act: 'quotas', subject: `key:${id}`, note: 'n' };
    await moderation.setQuotas(id, { ...QUOTAS.persistent, requestsPerDay: 2 }, act);
    await blocks.reload();
    expect(await call()).toBeUndefined();
    await moderation.revokeKey(id, { ...act, act: 'revoke' });
    await blocks.reload();
    expect(await call()).toBe('key_revoked');
  });

  it('fails to change on a page while its Durable Object is unreachable, and retries after an act', async () => {
    const { access } = isolate();
    isReachable = false;
    await expect(access.keysChanged([id])).rejects.toMatchObject({ status: 503 });
    expect(await access.announceKeyChanges([id])).toBe(false);
    isReachable = true;
    expect(await access.announceKeyChanges([id])).toBe(true);
  });

  it('is refused within an hour after an unannounced change, even if its calls run no tool', async () => {
    const { call } = isolate();
    const initialize = () => call(secret, 'mcp');
    await initialize();
    await keys.revoke(id, 'changing', NOW);
    expect(await initialize()).toBe('120');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect(await initialize()).toBe('key_revoked');
  });

  it('is read again when it changes during a read', async () => {
    const limiter = env.LIMITS.getByName(`key:${id}`);
    const claim = { id, version: versionOf(await stored()) };
    const reading = limiter.take([], [], claim);
    await keys.revoke(id, 'changing', NOW);
    await limiter.forgetKey();
    await reading;
    expect(await limiter.take([], [], claim)).toMatchObject({ keyChanged: true, allowed: false });
  });
});
