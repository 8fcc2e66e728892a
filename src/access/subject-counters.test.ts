import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuotaRequest } from '../core/counters.ts';
import { SubjectCounters } from './subject-counters.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

const windowRequest = (
  limit: number,
  seconds: number,
  cost = 1,
  policy = 'calls',
): QuotaRequest => ({
  policy,
  limit,
  per: 'window',
  seconds,
  cost,
});
const periodRequest = (per: 'day' | 'month', limit: number, cost = 1): QuotaRequest => ({
  policy: per,
  limit,
  per,
  seconds: 1,
  cost,
});

describe('SubjectCounters', () => {
  it('never allows more than the limit in any window, even if the clock jumps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(
          fc.record({
            step: fc.integer({ min: -3000, max: 3000 }),
            cost: fc.integer({ min: 1, max: 4 }),
          }),
          { maxLength: 60 },
        ),
        (limit, seconds, calls) => {
          const counters = new SubjectCounters();
          const passed: number[] = [];
          let clock = NOON;
          for (const { step, cost } of calls) {
            clock += step;
            const { allowed, at } = counters.take([windowRequest(limit, seconds, cost)], clock);
            if (allowed) for (let unit = 0; unit < cost; unit++) passed.push(at);
          }
          for (const start of passed) {
            const inSpan = passed.filter((at) => at >= start && at - start <= seconds * 1000);
            expect(inSpan.length).toBeLessThanOrEqual(limit);
          }
        },
      ),
    );
  });

  it('agrees with a simple model of a sliding window', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            step: fc.integer({ min: 0, max: 1500 }),
            costs: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
          }),
          { maxLength: 60 },
        ),
        (calls) => {
          const counters = new SubjectCounters();
          const limits = [
            { limit: 4, seconds: 2 },
            { limit: 9, seconds: 7 },
          ];
          const logs: number[][] = [[], []];
          let now = NOON;
          for (const { step, costs } of calls) {
            now += step;
            const fits = limits.every(({ limit, seconds }, i) => {
              const held = logs[i]!.filter((at) => now - at <= seconds * 1000).length;
              return held + costs[i]! <= limit;
            });
            const quotaRequests = limits.map(({ limit, seconds }, i) =>
              windowRequest(limit, seconds, costs[i], `p${i}`),
            );
            const verdict = counters.take(quotaRequests, now);
            expect(verdict.allowed).toBe(fits);
            if (fits) {
              for (const [i, log] of logs.entries()) log.push(...Array(costs[i]).fill(now));
            }
            for (const [i, remainingQuota] of verdict.remainingQuotas.entries()) {
              const { limit, seconds } = limits[i]!;
              const held = logs[i]!.filter((at) => now - at <= seconds * 1000).length;
              expect(remainingQuota.remaining).toBe(limit - held);
            }
          }
        },
      ),
    );
  });

  it('reports to the millisecond when a refused call would be allowed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 5, maxLength: 30 }),
        fc.integer({ min: 1, max: 3 }),
        (steps, cost) => {
          const counters = new SubjectCounters();
          let now = NOON;
          for (const step of steps) {
            now += step;
            counters.take([windowRequest(5, 3)], now);
          }
          const quotaRequest = windowRequest(5, 3, cost);
          const { allowed, remainingQuotas } = counters.take([quotaRequest], now);
          if (allowed) return;
          const { resetAt, refuses } = remainingQuotas[0]!;
          expect(refuses).toBe(true);
          expect(counters.take([quotaRequest], resetAt - 1).allowed).toBe(false);
          expect(counters.take([quotaRequest], resetAt).allowed).toBe(true);
        },
      ),
    );
  });

  it('charges no policy when one of them refuses', () => {
    const counters = new SubjectCounters();
    const [narrow, wide] = [windowRequest(1, 60, 1, 'narrow'), windowRequest(10, 60, 1, 'wide')];
    counters.take([narrow, wide], NOON);
    expect(counters.take([wide, narrow], NOON).allowed).toBe(false);
    expect(counters.remainingQuotas([wide], NOON)[0]!.remaining).toBe(9);
  });

  it('releases only the units of the given call', () => {
    const counters = new SubjectCounters();
    const quotaRequest = windowRequest(5, 60);
    const first = counters.take([quotaRequest], NOON);
    counters.take([quotaRequest], NOON + 1);
    counters.release([quotaRequest], first.at);
    counters.release([quotaRequest], first.at);
    expect(counters.remainingQuotas([quotaRequest], NOON + 2)[0]!.remaining).toBe(4);
  });

  it('starts a day at 00:00 UTC and a month on the 1st', () => {
    const counters = new SubjectCounters();
    const quotaRequests = [periodRequest('day', 2), periodRequest('month', 5)];
    expect(counters.take(quotaRequests, NOON).allowed).toBe(true);
    expect(counters.take(quotaRequests, NOON).allowed).toBe(true);
    const refused = counters.take(quotaRequests, NOON);
    expect(refused.allowed).toBe(false);
    expect(refused.remainingQuotas[0]).toEqual({
      remaining: 0,
      resetAt: Date.UTC(2026, 10, 22),
      unitAt: Date.UTC(2026, 10, 22),
      refuses: true,
    });
    expect(counters.take(quotaRequests, Date.UTC(2026, 10, 22)).allowed).toBe(true);
    expect(counters.remainingQuotas(quotaRequests, Date.UTC(2026, 10, 30))[1]!.remaining).toBe(2);
    expect(counters.remainingQuotas(quotaRequests, Date.UTC(2026, 11, 1))[1]!.remaining).toBe(5);
  });

  it('admits a call while some quota remains and charges its full use, even beyond the quota', () => {
    const counters = new SubjectCounters();
    const start = periodRequest('month', 100, 0);
    expect(counters.take([start], NOON).allowed).toBe(true);
    counters.charge({ ...start, cost: 250 }, NOON);
    expect(counters.take([start], NOON).allowed).toBe(false);
    expect(counters.remainingQuotas([start], NOON)[0]!.remaining).toBe(0);
  });

  it('keeps its state across saving and loading', () => {
    const counters = new SubjectCounters();
    const quotaRequests = [windowRequest(5, 60), periodRequest('day', 10)];
    counters.take(quotaRequests, NOON);
    const again = new SubjectCounters(structuredClone(counters.save()));
    expect(again.remainingQuotas(quotaRequests, NOON + 5)).toEqual(
      counters.remainingQuotas(quotaRequests, NOON + 5),
    );
  });

  it('reports when all counts have expired and keeps none of them', () => {
    const counters = new SubjectCounters();
    counters.take([windowRequest(5, 60)], NOON);
    expect(counters.prune(NOON)).toBe(NOON + 60_001);
    expect(counters.prune(NOON + 60_001)).toBe(null);
    expect(counters.save()).toEqual({ windows: [], quotas: [] });
  });
});
