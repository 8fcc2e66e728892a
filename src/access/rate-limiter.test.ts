/// <reference types="@cloudflare/vitest-plugin/types" />
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { CountersOf, QuotaRequest } from '../core/counters.ts';

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

const isStored = (limiter: DurableObjectStub) =>
  runInDurableObject(limiter, (_, state) => state.storage.kv.get('counters') !== undefined);

/** Waits until all that it has counted is stored. */
async function written(limiter: DurableObjectStub): Promise<void> {
  await scheduler.wait(1300);
  await expect.poll(() => isStored(limiter)).toBe(true);
}

describe('RateLimiter', () => {
  it('lets no two calls pass together where there is room for one', async () => {
    const limiter = env.LIMITS.getByName('together');
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, () => limiter.take([quotaRequest])),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
  });

  it('counts on after it was evicted from memory', async () => {
    const limiter = env.LIMITS.getByName('evicted');
    await limiter.take([quotaRequest, { ...quotaRequest, policy: 'day', per: 'day' }]);
    await limiter.take([quotaRequest]);
    await written(limiter);
    await evictDurableObject(limiter);
    const [window, day] = await limiter.remainingQuotas([
      quotaRequest,
      { ...quotaRequest, policy: 'day', per: 'day' },
    ]);
    expect([window!.remaining, day!.remaining]).toEqual([3, 4]);
  });

  it('writes within a second, and not in each call', async () => {
    const limiter = env.LIMITS.getByName('quiet');
    const storedAtOnce = await runInDurableObject(limiter, async (instance, { storage }) => {
      await instance.take([quotaRequest]);
      return storage.kv.get('counters');
    });
    expect(storedAtOnce).toBeUndefined();
    await expect.poll(() => isStored(limiter)).toBe(true);
  });

  it('keeps nothing when all that it counted is over', async () => {
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

  it('lets as many calls through as the limit allows, and reports the remaining quota', async () => {
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

  it('lets exactly so many simultaneous calls through, also over several stubs', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, () => counters('at-once').take([LIMIT_35])),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(35);
  });

  it('counts each subject separately', async () => {
    await counters('one').take([LIMIT_35]);
    expect([await leftOf('one'), await leftOf('other')]).toEqual([34, 35]);
  });

  it('releases what was taken, and charges after the fact', async () => {
    for (let call = 0; call < 3; call++) await counters('released').take([LIMIT_35]);
    const { at } = await counters('released').take([LIMIT_35]);
    await counters('released').release([LIMIT_35], at);
    expect(await leftOf('released')).toBe(32);
    await counters('released').charge({ ...LIMIT_35, cost: 40 });
    expect(await leftOf('released')).toBe(0);
  });
});
