import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { D1Keys } from '../adapters/d1-keys.ts';
import { crc32 } from '../lib/crc32.ts';
import { checkKeyFormat, makeKey, QUOTAS, storedFormOf } from './api-keys.ts';
import { KnownKeys } from './known-keys.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const keys = new D1Keys(env.ACCOUNTS);
const authenticate = (text: string, store: Pick<D1Keys, 'find'>, now: number) =>
  new KnownKeys(store).findAnew(text, now);

async function createKey(changes: { expiresAt?: number; accountId?: string | null } = {}) {
  const text = makeKey();
  const id = crypto.randomUUID();
  const { accountId = 'ann', expiresAt = null } = changes;
  const key = {
    id,
    accountId,
    expiresAt,
    kind: accountId === null ? ('trial' as const) : ('persistent' as const),
    name: 'a key',
    ...(await storedFormOf(text)),
    ...QUOTAS.persistent,
  };
  expect(await keys.create(key, NOW, { working: 100, inADay: 100 })).toBe('made');
  return { id, text };
}

const keyOf = (id: string, accountId = 'ann', rotatedAt: number | null = null) => ({
  id,
  accountId,
  rotatedAt,
});

beforeAll(() => applyMigrations(env));
beforeEach(async () => {
  await env.ACCOUNTS.exec('DELETE FROM accounts');
  await env.ACCOUNTS.exec(
    "INSERT INTO accounts (id, name, created_at) VALUES ('ann', 'Ann', 0), ('bob', 'Bob', 0)",
  );
});

describe('the format of an API key', () => {
  it('is tsk_, 32 base-62 characters and a 6-character CRC-32', () => {
    const key = makeKey();
    expect(key).toMatch(/^tsk_[0-9A-Za-z]{38}$/);
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    let sum = 0;
    for (const digit of key.slice(-6)) sum = sum * 62 + alphabet.indexOf(digit);
    expect(sum).toBe(crc32(new TextEncoder().encode(key.slice(4, -6))));
    // The standard check value of CRC-32.
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    expect(makeKey()).not.toBe(key);
  });

  it('detects a changed, swapped, missing or extra character by its checksum', () => {
    const key = makeKey();
    expect(checkKeyFormat(key)).toBe(true);
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(checkKeyFormat(key.slice(0, at) + other + key.slice(at + 1)), `at ${at}`).toBe(false);
      const [one, two] = [key[at], key[at + 1]];
      if (two === undefined || one === two) continue;
      expect(checkKeyFormat(key.slice(0, at) + two + one + key.slice(at + 2))).toBe(false);
    }
    for (const wrong of [
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      '',
    ]) {
      expect(checkKeyFormat(wrong), JSON.stringify(wrong)).toBe(false);
    }
  });

  it('is stored only as its SHA-256 with the first 8 and last 4 characters', async () => {
    const { text } = await createKey();
    const { results } = await env.ACCOUNTS.prepare('SELECT * FROM api_keys').all();
    expect(JSON.stringify(results)).not.toContain(text.slice(8, -4));
    expect(results[0]).toMatchObject({ display: `${text.slice(0, 8)}…${text.slice(-4)}` });
    expect(results[0]!.hash).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('authenticate', () => {
  it('returns the key with its account and quotas', async () => {
    const { id, text } = await createKey();
    expect(await authenticate(text, keys, NOW)).toMatchObject({
      id,
      accountId: 'ann',
      kind: 'persistent',
      requestsPerDay: 10_000,
      tokensPerMonth: 1_000_000,
      bytesPerDay: 10 * 2 ** 30,
    });
  });

  it('rejects a malformed key or wrong checksum without a lookup', async () => {
    const find = vi.fn();
    const key = makeKey();
    const wrong = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    for (const text of [wrong, 'sk_live_123', 'tsk_', '', 'x'.repeat(100_000)]) {
      await expect(authenticate(text, { find }, NOW)).rejects.toMatchObject({
        code: 'invalid_key',
        status: 401,
      });
    }
    expect(find).not.toHaveBeenCalled();
  });

  it('rejects an unknown key as invalid_key without repeating it in the message', async () => {
    const text = makeKey();
    const error = await authenticate(text, keys, NOW).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'invalid_key', status: 401 });
    expect((error as Error).message).not.toContain(text.slice(0, 8));
  });

  it('rejects a key as key_revoked as soon as it is revoked', async () => {
    const { id, text } = await createKey();
    expect(await keys.revoke(id, 'bob', NOW)).toBe(false);
    await authenticate(text, keys, NOW);
    expect(await keys.revoke(id, 'ann', NOW)).toBe(true);
    await expect(authenticate(text, keys, NOW)).rejects.toMatchObject({
      code: 'key_revoked',
      status: 401,
    });
    expect(await keys.revoke(id, 'ann', NOW)).toBe(false);
  });

  it('rejects a key as key_expired from its expiry date on', async () => {
    const { text } = await createKey({ expiresAt: NOW + HOUR });
    await authenticate(text, keys, NOW + HOUR - 1);
    await expect(authenticate(text, keys, NOW + HOUR)).rejects.toMatchObject({
      code: 'key_expired',
      status: 401,
    });
  });

  it('accepts a key on a machine whose clock is behind its creation time', async () => {
    const { text } = await createKey();
    await authenticate(text, keys, NOW - HOUR);
  });

  it('accepts the old secret during the overlap, then says that it was replaced', async () => {
    const { id, text: old } = await createKey();
    const renewed = makeKey();
    expect(await keys.rotate(keyOf(id, 'bob'), await storedFormOf(renewed), NOW, NOW + HOUR)).toBe(
      false,
    );
    expect(await keys.rotate(keyOf(id), await storedFormOf(renewed), NOW, NOW + HOUR)).toBe(true);
    for (const text of [old, renewed]) {
      expect(await authenticate(text, keys, NOW + HOUR - 1)).toMatchObject({ id });
    }
    expect(await authenticate(renewed, keys, NOW + HOUR)).toMatchObject({ id });
    await expect(authenticate(old, keys, NOW + HOUR)).rejects.toMatchObject({
      code: 'key_expired',
      message: expect.stringContaining(`replaced by ${renewed.slice(0, 8)}…`),
    });
  });

  it('rejects the old secret once the rotated key is revoked', async () => {
    const { id, text: old } = await createKey();
    await keys.rotate(keyOf(id), await storedFormOf(makeKey()), NOW, NOW + HOUR);
    await keys.revoke(id, 'ann', NOW);
    await expect(authenticate(old, keys, NOW)).rejects.toMatchObject({ code: 'key_revoked' });
  });

  it('refuses a second rotation until the overlap ends or is ended early', async () => {
    const { id, text: old } = await createKey();
    const renewed = makeKey();
    await keys.rotate(keyOf(id), await storedFormOf(renewed), NOW, NOW + HOUR);
    const again = (now: number) => keys.rotate(keyOf(id, 'ann', NOW), STORED, now, now + HOUR);
    const STORED = await storedFormOf(makeKey());
    expect(await again(NOW + HOUR - 1)).toBe(false);
    for (const text of [old, renewed]) await authenticate(text, keys, NOW + HOUR - 1);

    expect(await keys.endOverlap(id, 'bob', NOW + 1)).toBe(false);
    expect(await keys.endOverlap(id, 'ann', NOW + 1)).toBe(true);
    expect(await keys.endOverlap(id, 'ann', NOW + 1)).toBe(false);
    await expect(authenticate(old, keys, NOW + 1)).rejects.toMatchObject({
      code: 'key_expired',
    });
    await authenticate(renewed, keys, NOW + 1);
    expect(await again(NOW + 2)).toBe(true);
  });

  it('rotates a key once when the same request is sent twice', async () => {
    const { id } = await createKey();
    const rotate = async () => keys.rotate(keyOf(id), await storedFormOf(makeKey()), NOW, NOW);
    const done = [await rotate(), ...(await Promise.all([rotate(), rotate()]))];
    expect(done).toEqual([true, false, false]);
  });

  it('does not rotate an expired key', async () => {
    const { id } = await createKey({ expiresAt: NOW });
    expect(await keys.rotate(keyOf(id), await storedFormOf(makeKey()), NOW, NOW + HOUR)).toBe(
      false,
    );
  });
});

describe('the key store', () => {
  it('lists only the account’s own keys, with their last use', async () => {
    const { id } = await createKey();
    await keys.touchLastUsed([id, 'unknown'], NOW + 5);
    await keys.touchLastUsed([id], NOW + 4);
    expect(await keys.list('ann')).toMatchObject([
      { id, name: 'a key', createdAt: NOW, lastUsedAt: NOW + 5, expiresAt: null, previous: null },
    ]);
    expect(await keys.list('bob')).toEqual([]);
  });

  const create = async (
    now: number,
    bounds: { working: number; inADay: number },
    id = crypto.randomUUID() as string,
  ) =>
    keys.create(
      {
        id,
        accountId: 'ann',
        kind: 'persistent',
        name: 'n',
        expiresAt: null,
        ...(await storedFormOf(makeKey())),
        ...QUOTAS.persistent,
      },
      now,
      bounds,
    );

  it('enforces the limit on active keys under concurrent requests', async () => {
    for (const bounds of [
      { working: 2, inADay: 9 },
      { working: 9, inADay: 2 },
    ]) {
      await env.ACCOUNTS.exec('DELETE FROM api_keys');
      const made = await Promise.all([1, 2, 3, 4].map(() => create(NOW, bounds)));
      expect(made.filter((result) => result === 'made')).toHaveLength(2);
    }
  });

  it('counts revoked keys towards the 24-hour limit', async () => {
    const bounds = { working: 20, inADay: 3 };
    for (const at of [NOW, NOW + HOUR, NOW + 2 * HOUR]) {
      const id = crypto.randomUUID();
      expect(await create(at, bounds, id)).toBe('made');
      await keys.revoke(id, 'ann', at);
    }
    const againAt = NOW + 24 * HOUR;
    expect(await create(NOW + 3 * HOUR, bounds)).toEqual({ againAt });
    expect(await create(againAt - 1, bounds)).toEqual({ againAt });
    expect(await create(againAt, bounds)).toBe('made');
    expect(await create(againAt, bounds)).toEqual({ againAt: againAt + HOUR });
  });

  it('creates one key when the same request is sent twice', async () => {
    const bounds = { working: 20, inADay: 20 };
    const made = await Promise.all([1, 2].map(() => create(NOW, bounds, 'same')));
    expect(made.toSorted()).toEqual(['made', 'made-before']);
    expect(await keys.list('ann')).toHaveLength(1);
  });

  it('creates no key for a deleted account and deletes an account’s keys with it', async () => {
    const { text } = await createKey();
    await env.ACCOUNTS.exec("DELETE FROM accounts WHERE id = 'ann'");
    await expect(authenticate(text, keys, NOW)).rejects.toMatchObject({ code: 'invalid_key' });
    await expect(createKey()).rejects.toThrow();
  });

  it('deletes expired and revoked keys after the retention period', async () => {
    await createKey({ accountId: null, expiresAt: NOW });
    const { id } = await createKey();
    await keys.revoke(id, 'ann', NOW);
    await createKey();
    expect(await keys.cleanUp(NOW)).toBe(0);
    expect(await keys.cleanUp(NOW + 1)).toBe(2);
    expect(await keys.list('ann')).toHaveLength(1);
  });
});
