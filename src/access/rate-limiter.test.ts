/// <reference types="@cloudflare/vitest-plugin/types" />
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import type { CountersOf, QuotaRequest } from '../core/counters.ts';
import type { SavedCounters } from './subject-counters.ts';

const quotaRequest: QuotaRequest = {
  policy: 'calls',
  limit: 5,
  per: 'window',
  seconds: 60,
  cost: 1,
};
const LIMIT_35: QuotaRequest = { ...quotaRequest, limit: 35, seconds: 3600 };
const counters: CountersOf = (subject) => env.LIMITS.getByName(subject);
const leftOf = async (subject: string) =>
  (await counters(subject).remainingQuotas([LIMIT_35]))[0]!.remaining;

const storedCalls = (limiter: DurableObjectStub) =>
  runInDurableObject(
    limiter,
    (_, { storage }) => storage.kv.get<SavedCounters>('counters')?.windows[0]?.[2].length,
  );

describe('RateLimiter', () => {
  it('allows only as many of 50 concurrent calls as the limit permits', async () => {
    const limiter = env.LIMITS.getByName('together');
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, () => limiter.take([quotaRequest])),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
  });

  it('keeps its counts after eviction from memory', async () => {
    const limiter = env.LIMITS.getByName('evicted');
    await limiter.take([quotaRequest, { ...quotaRequest, policy: 'day', per: 'day' }]);
    await limiter.take([quotaRequest]);
    await runDurableObjectAlarm(limiter);
    await evictDurableObject(limiter);
    const [window, day] = await limiter.remainingQuotas([
      quotaRequest,
      { ...quotaRequest, policy: 'day', per: 'day' },
    ]);
    expect([window!.remaining, day!.remaining]).toEqual([3, 4]);
  });

  it('writes the first two calls at once and batches the rest of the second in one alarm', async () => {
    const limiter = env.LIMITS.getByName('quiet');
    // The time is in the future, so the alarm does not run by itself.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (Date.now() % 1000) + 3_600_000 });
    for (let call = 0; call < 5; call += 1) await limiter.take([quotaRequest]);
    expect(await storedCalls(limiter)).toBe(2);
    const alarm = await runInDurableObject(limiter, (_, { storage }) => storage.getAlarm());
    expect(alarm).toBe(Date.now() + 1000);
    await runDurableObjectAlarm(limiter);
    expect(await storedCalls(limiter)).toBe(5);
    vi.useRealTimers();
  });

  it('stores a key’s usage, writes it to the database after an hour, then deletes it', async () => {
    await applyMigrations(env);
    await env.ACCOUNTS.prepare(
      "INSERT INTO accounts (id, name, created_at) VALUES ('of-limiter', 'A', 0)",
    ).run();
    const use = { keyId: 'of-limiter', accountId: 'of-limiter', tool: 'encode_base64' };
    const limiter = env.LIMITS.getByName('key:of-limiter');
    const start = Date.now();
    for (let call = 0; call < 3; call += 1) await limiter.take([quotaRequest], [use]);
    const { at } = await limiter.take([quotaRequest], [use]);
    await limiter.release([quotaRequest], at, [use]);
    await limiter.charge({ ...quotaRequest, per: 'day' }, { ...use, calls: 0, tokens: 7 });
    await runDurableObjectAlarm(limiter);
    const called = [{ ...use, calls: 3, tokens: 7, at: expect.any(Number) }];
    await evictDurableObject(limiter);
    expect(await limiter.pendingUsage()).toEqual(called);
    const read = () =>
      env.ACCOUNTS.prepare('SELECT tool, calls, tokens FROM usage_by_day WHERE key_id = ?')
        .bind(use.keyId)
        .all();
    expect((await read()).results).toEqual([]);
    vi.useFakeTimers({ toFake: ['Date'], now: start + 3_700_000 });
    await runDurableObjectAlarm(limiter);
    vi.useRealTimers();
    expect((await read()).results).toEqual([{ tool: 'encode_base64', calls: 3, tokens: 7 }]);
    expect(await limiter.pendingUsage()).toEqual([]);
  });

  it('deletes all state once every counted call has expired', async () => {
    const limiter = env.LIMITS.getByName('over');
    await limiter.take([{ ...quotaRequest, seconds: 1 }]);
    await scheduler.wait(2400);
    const left = async () => {
      await runDurableObjectAlarm(limiter);
      return runInDurableObject(limiter, async (_, { storage }) => [
        [...storage.kv.list()],
        await storage.getAlarm(),
      ]);
    };
    await expect.poll(left).toEqual([[], null]);
  });

  it('allows calls up to the limit and reports the remaining quota', async () => {
    const left: number[] = [];
    for (let call = 0; call < 35; call++) {
      const { allowed, remainingQuotas } = await counters('in-a-row').take([LIMIT_35]);
      expect(allowed).toBe(true);
      left.push(remainingQuotas[0]!.remaining);
    }
    expect(left).toEqual(Array.from({ length: 35 }, (_, call) => 34 - call));
    expect(await counters('in-a-row').take([LIMIT_35])).toMatchObject({
      allowed: false,
      remainingQuotas: [{ remaining: 0, refuses: true }],
    });
  });

  it('enforces the limit for concurrent calls over several stubs', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, () => counters('at-once').take([LIMIT_35])),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(35);
  });

  it('counts each subject separately', async () => {
    await counters('one').take([LIMIT_35]);
    expect([await leftOf('one'), await leftOf('other')]).toEqual([34, 35]);
  });

  it('releases taken units and charges units afterwards', async () => {
    for (let call = 0; call < 3; call++) await counters('released').take([LIMIT_35]);
    const { at } = await counters('released').take([LIMIT_35]);
    await counters('released').release([LIMIT_35], at);
    expect(await leftOf('released')).toBe(32);
    await counters('released').charge({ ...LIMIT_35, cost: 40 });
    expect(await leftOf('released')).toBe(0);
  });
});
