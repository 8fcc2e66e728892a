/// <reference types="@cloudflare/vitest-plugin/types" />
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Ask } from '../core/counters.ts';
import { DurableCounters } from './durable-counters.ts';

const ask: Ask = { policy: 'calls', limit: 35, per: 'window', seconds: 3600, cost: 1 };
const counters = new DurableCounters(env.LIMITS);
const leftOf = async (subject: string) => (await counters.standings(subject, [ask]))[0]!.remaining;

describe('DurableCounters', () => {
  it('let as many calls through as there is room for, and tell what is left of it', async () => {
    const left: number[] = [];
    for (let call = 0; call < 35; call++) {
      const { allowed, standings } = await counters.take('in-a-row', [ask]);
      expect(allowed).toBe(true);
      left.push(standings[0]!.remaining);
    }
    expect(left).toEqual(Array.from({ length: 35 }, (_, call) => 34 - call));
    expect(await counters.take('in-a-row', [ask])).toMatchObject({
      allowed: false,
      standings: [{ remaining: 0, refuses: true }],
    });
  });

  it('let exactly so many of the same moment through, also from several isolates', async () => {
    const isolates = [counters, new DurableCounters(env.LIMITS)];
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, call) => isolates[call % 2]!.take('at-once', [ask])),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(35);
  });

  it('count each subject by itself', async () => {
    await counters.take('one', [ask]);
    expect([await leftOf('one'), await leftOf('other')]).toEqual([34, 35]);
  });

  it('release what was taken, and charge after the fact', async () => {
    for (let call = 0; call < 3; call++) await counters.take('released', [ask]);
    const { at } = await counters.take('released', [ask]);
    await counters.release('released', [ask], at);
    expect(await leftOf('released')).toBe(32);
    await counters.charge('released', { ...ask, cost: 40 });
    expect(await leftOf('released')).toBe(0);
  });
});
