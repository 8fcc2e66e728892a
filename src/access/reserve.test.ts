import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CountersOf, QuotaRequest } from '../core/counters.ts';
import { RememberingCounters } from './reserve.ts';
import { SubjectCounters } from './subject-counters.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const HALF_A_MINUTE = 30_000;

const quotaRequest = (limit: number, seconds: number, cost = 1): QuotaRequest => ({
  policy: 'calls',
  limit,
  per: 'window',
  seconds,
  cost,
});

/** Simulates the counters of one subject, and isolates that cache their verdicts. */
class World {
  now = NOON;
  /** The number of milliseconds by which the counters' clock is ahead of the isolates' clocks. */
  skew = 0;
  requested = 0;
  readonly #subject = new SubjectCounters();
  readonly counters: CountersOf = () => ({
    take: async (quotaRequests) => {
      this.requested += 1;
      return this.#subject.take(quotaRequests, this.now + this.skew);
    },
    release: async (quotaRequests, at) => this.#subject.release(quotaRequests, at),
    charge: async (one) => this.#subject.charge(one, this.now + this.skew),
    remainingQuotas: async (quotaRequests) =>
      this.#subject.remainingQuotas(quotaRequests, this.now + this.skew),
    forgetKey: async () => {},
    pendingUsage: async () => [],
  });
  isolate = () => new RememberingCounters(this.counters, () => this.now);
}

/** Checks the cached limits before querying the counters, as `reserve` does. */
async function passes(isolate: RememberingCounters, one: QuotaRequest): Promise<boolean> {
  return !isolate.spent('s', one) && (await isolate.take('s', [one])).allowed;
}

describe('RememberingCounters', () => {
  it('queries the counters once for a subject over its limit, and again when a unit is free', async () => {
    const world = new World();
    const isolate = world.isolate();
    const one = quotaRequest(2, 20);
    for (let call = 0; call < 10; call++) await passes(isolate, one);
    expect(world.requested).toBe(3);
    expect(isolate.spent('s', one)).toMatchObject({ remaining: 0, resetAt: NOON + 20_001 });
    world.now = NOON + 20_000;
    expect(await passes(isolate, one)).toBe(false);
    world.now = NOON + 20_001;
    expect(await passes(isolate, one)).toBe(true);
  });

  it('allows the same calls as the counters, across isolates with skewed clocks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: -5000, max: 5000 }),
        fc.array(
          fc.record({
            step: fc.integer({ min: 0, max: 9000 }),
            cost: fc.integer({ min: 1, max: 3 }),
            isolate: fc.nat(1),
          }),
          { maxLength: 80 },
        ),
        async (limit, seconds, skew, calls) => {
          const world = new World();
          world.skew = skew;
          const isolates = [world.isolate(), world.isolate()];
          const plain = new SubjectCounters();
          for (const { step, cost, isolate } of calls) {
            world.now += step;
            const one = quotaRequest(limit, seconds, cost);
            const { allowed } = plain.take([one], world.now);
            expect(await passes(isolates[isolate]!, one)).toBe(allowed);
          }
        },
      ),
    );
  });

  it('allows a call of one unit after a call of several was refused', async () => {
    const isolate = new World().isolate();
    await passes(isolate, quotaRequest(5, 60, 4));
    expect(await passes(isolate, quotaRequest(5, 60, 2))).toBe(false);
    expect(await passes(isolate, quotaRequest(5, 60))).toBe(true);
  });

  it('detects a reached limit from a refused call of several units, until one unit is free', async () => {
    const world = new World();
    const isolate = world.isolate();
    await passes(isolate, quotaRequest(2, 20));
    world.now += 5000;
    await passes(isolate, quotaRequest(2, 20));
    await passes(isolate, quotaRequest(2, 20, 2));
    expect(isolate.spent('s', quotaRequest(2, 20))).toMatchObject({ resetAt: NOON + 20_001 });
  });

  it('applies a raised limit and a released unit immediately', async () => {
    const isolate = new World().isolate();
    const { at } = await isolate.take('s', [quotaRequest(1, 3600)]);
    expect(await passes(isolate, quotaRequest(1, 3600))).toBe(false);
    expect(isolate.spent('s', quotaRequest(2, 3600))).toBe(undefined);
    await isolate.release('s', [quotaRequest(1, 3600)], at);
    expect(await passes(isolate, quotaRequest(1, 3600))).toBe(true);
  });

  it('queries the counters again after 30 seconds, since another isolate may have released a unit', async () => {
    const world = new World();
    const [one, other] = [world.isolate(), world.isolate()];
    const hourly = quotaRequest(1, 3600);
    const { at } = await one.take('s', [hourly]);
    expect(await passes(other, hourly)).toBe(false);
    await one.release('s', [hourly], at);
    world.now += HALF_A_MINUTE - 1;
    expect(await passes(other, hourly)).toBe(false);
    world.now += 1;
    expect(other.wasSpent('s', hourly)).toBe(true);
    expect(await passes(other, hourly)).toBe(true);
    expect(other.wasSpent('s', hourly)).toBe(false);
  });

  it('remembers 5,000 limits and drops the oldest', async () => {
    const isolate = new World().isolate();
    const named = (policy: number): QuotaRequest => ({
      ...quotaRequest(1, 3600),
      policy: String(policy),
    });
    for (let policy = 0; policy < 5001; policy++) {
      await isolate.take('s', [named(policy)]);
      await isolate.take('s', [named(policy)]);
    }
    expect(isolate.spent('s', named(0))).toBe(undefined);
    expect(isolate.spent('s', named(1))).toBeDefined();
    expect(isolate.spent('s', named(5000))).toBeDefined();
  });
});
