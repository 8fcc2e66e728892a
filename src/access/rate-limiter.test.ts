/// <reference types="@cloudflare/vitest-plugin/types" />
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { QuotaRequest } from '../core/counters.ts';

const quotaRequest: QuotaRequest = {
  policy: 'calls',
  limit: 5,
  per: 'window',
  seconds: 60,
  cost: 1,
};
const written = () => scheduler.wait(1300);

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
    await written();
    await evictDurableObject(limiter);
    const [window, day] = await limiter.remainingQuotas([
      quotaRequest,
      { ...quotaRequest, policy: 'day', per: 'day' },
    ]);
    expect([window!.remaining, day!.remaining]).toEqual([3, 4]);
  });

  const isStored = (limiter: DurableObjectStub) =>
    runInDurableObject(limiter, (_, state) => state.storage.kv.get('counters') !== undefined);

  it('writes within a second, and not in each call', async () => {
    const limiter = env.LIMITS.getByName('quiet');
    await limiter.take([quotaRequest]);
    expect(await isStored(limiter)).toBe(false);
    await written();
    expect(await isStored(limiter)).toBe(true);
  });

  it('keeps nothing when all that it counted is over', async () => {
    const limiter = env.LIMITS.getByName('over');
    await limiter.take([{ ...quotaRequest, seconds: 1 }]);
    await written();
    await scheduler.wait(1100);
    await runDurableObjectAlarm(limiter);
    await runInDurableObject(limiter, async (_, state) => {
      expect([...state.storage.kv.list()]).toEqual([]);
      expect(await state.storage.getAlarm()).toBe(null);
    });
  });
});
