/// <reference types="@cloudflare/vitest-plugin/types" />
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { QuotaRequest } from '../core/counters.ts';
import { DurableCounters } from './durable-counters.ts';

const quotaRequest: QuotaRequest = {
  policy: 'calls',
  limit: 35,
  per: 'window',
  seconds: 3600,
  cost: 1,
};
const counters = new DurableCounters(env.LIMITS);
const leftOf = async (subject: string) =>
  (await counters.remainingQuotas(subject, [quotaRequest]))[0]!.remaining;

describe('DurableCounters', () => {
  it('let as many calls through as there is room for, and tell what is left of it', async () => {
    const left: number[] = [];
    for (let call = 0; call < 35; call++) {
      const { allowed, remainingQuotas } = await counters.take('in-a-row', [quotaRequest]);
      expect(allowed).toBe(true);
      left.push(remainingQuotas[0]!.remaining);
    }
    expect(left).toEqual(Array.from({ length: 35 }, (_, call) => 34 - call));
    expect(await counters.take('in-a-row', [quotaRequest])).toMatchObject({
      allowed: false,
      remainingQuotas: [{ remaining: 0, refuses: true }],
    });
  });

  it('let exactly so many of the same moment through, also from several isolates', async () => {
    const isolates = [counters, new DurableCounters(env.LIMITS)];
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, call) => isolates[call % 2]!.take('at-once', [quotaRequest])),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(35);
  });

  it('count each subject by itself', async () => {
    await counters.take('one', [quotaRequest]);
    expect([await leftOf('one'), await leftOf('other')]).toEqual([34, 35]);
  });

  it('release what was taken, and charge after the fact', async () => {
    for (let call = 0; call < 3; call++) await counters.take('released', [quotaRequest]);
    const { at } = await counters.take('released', [quotaRequest]);
    await counters.release('released', [quotaRequest], at);
    expect(await leftOf('released')).toBe(32);
    await counters.charge('released', { ...quotaRequest, cost: 40 });
    expect(await leftOf('released')).toBe(0);
  });
});
