/**
 * Tests the routing of media calls on simulated instances that crash, hang, slow down, start cold and are replaced by
 * rollouts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answered, Simulation } from './simulation.ts';
import { CEILINGS, reportStorm } from './storm-report.ts';

const failures = (answers: readonly Answered[]) => answers.filter(({ status }) => status !== 200);

describe('a fleet of five media workers', () => {
  it('fails no call with one instance dead from the start', async () => {
    const fleet = new Simulation({ isolates: 3 });
    fleet.instances[0]!.die();
    expect(failures(await fleet.run(fleet.load({ calls: 1000 })))).toEqual([]);
  });

  it.each(['die', 'hang'] as const)('fails no call when one %ss under load', async (how) => {
    const fleet = new Simulation({ isolates: 2 });
    fleet.after(10_000, () => fleet.instances[1]![how]());
    fleet.after(90_000, () => fleet.instances[1]!.revive());
    expect(failures(await fleet.run(fleet.load({ calls: 1000 })))).toEqual([]);
    expect(fleet.instances[1]!.taken.total).toBeGreaterThan(0);
  });

  it('sends fewer calls to a slow instance, and fails none', async () => {
    const fleet = new Simulation();
    fleet.instances[2]!.speed = 0.1;
    expect(failures(await fleet.run(fleet.load({ calls: 1000 })))).toEqual([]);
    const taken = fleet.instances.map((instance) => instance.taken.total);
    expect(taken[2]).toBeLessThan(Math.max(...taken) / 2);
  });

  it('fails no call during a rolling replacement of all instances', async () => {
    const fleet = new Simulation({ isolates: 2 });
    const rollout = async () => {
      for (const instance of fleet.instances) {
        await fleet.clock.wait(10_000);
        await instance.replace(5000);
      }
    };
    const answers = await fleet.run(fleet.load({ calls: 1000 }), rollout());
    expect(failures(answers)).toEqual([]);
  });

  it('waits for a cold start, and starts only as many instances as the calls need', async () => {
    const fleet = new Simulation({ state: 'asleep' });
    const calls = Promise.all(Array.from({ length: 4 }, () => fleet.call(100)));
    const answers = await fleet.run(calls);
    expect(failures(answers)).toEqual([]);
    expect(Math.min(...answers.map(({ durationMs }) => durationMs))).toBeGreaterThan(3000);
    expect(fleet.instances.map(({ starts }) => starts)).toEqual([1, 1, 0, 0, 0]);
    // One instance is enough for sequential calls.
    expect(failures(await fleet.run(fleet.load({ calls: 50, everyMs: 5000 })))).toEqual([]);
    expect(fleet.instances.map(({ starts }) => starts)).toEqual([1, 1, 0, 0, 0]);
  });
});

describe('a half-dead fleet', () => {
  it('succeeds or returns 503 within a second for each call', async () => {
    const fleet = new Simulation({ instances: 10, isolates: 4 });
    for (const instance of fleet.instances.slice(0, 5)) instance.die();
    const answers = await fleet.run(fleet.load({ calls: 1000 }));
    for (const { durationMs, retryAfter } of failures(answers)) {
      expect(durationMs).toBeLessThan(1000);
      expect(retryAfter).toBeGreaterThan(0);
    }
    // A call may fail only if it tries three dead instances before the routing has detected that they are dead.
    expect(failures(answers).length).toBeLessThan(10);
  });

  it('returns 503 within a second when all are dead, and succeeds when they recover after Retry-After', async () => {
    const fleet = new Simulation();
    for (const instance of fleet.instances) instance.die();
    const refused = await fleet.run(fleet.load({ calls: 200 }));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    for (const { durationMs } of refused) expect(durationMs).toBeLessThan(1000);
    for (const instance of fleet.instances) instance.revive();
    await fleet.run(fleet.clock.wait(refused.at(-1)!.retryAfter! * 1000));
    expect(failures(await fleet.run(fleet.load({ calls: 200 })))).toEqual([]);
  });
});

describe('a region that fails and recovers', () => {
  it('is replaced by the next region, so that no call fails', async () => {
    const fleet = new Simulation({ instances: 10, isolates: 20, regions: ['weur', 'enam'] });
    const near = fleet.instances.filter((_, index) => index % 2 === 0);
    fleet.after(60_000, () => {
      for (const instance of near) instance.die();
    });
    fleet.after(180_000, () => {
      for (const instance of near) instance.revive();
    });
    const answers = await fleet.run(fleet.load({ calls: 1500, everyMs: 200 }));
    const failed = failures(answers);
    const busiest = (instances: typeof near) => ({
      peak: Math.max(...instances.map(({ taken }) => taken.peak)),
      queue: Math.max(...instances.map(({ mostWaiting }) => mostWaiting)),
      ceiling: CEILINGS.container,
    });
    const parts = [
      { name: 'the busiest container of weur', ...busiest(near) },
      {
        name: 'the busiest container of enam',
        ...busiest(fleet.instances.filter((_, index) => index % 2 === 1)),
      },
    ];
    reportStorm(`a region fails for two minutes: 1,500 calls, ${failed.length} × 503`, parts, {
      'each call is answered': failed.length > 0,
    });
    expect(failed).toEqual([]);
    expect(fleet.instances[1]!.taken.total).toBeGreaterThan(0);
  });
});

describe('the load of healthy instances', () => {
  /** Returns the average and the maximum over time of the largest load difference between two instances. */
  async function observe(isolates: number, load: Parameters<Simulation['load']>[0]) {
    const fleet = new Simulation({ isolates });
    const differences: number[] = [];
    const over = new AbortController();
    const watch = async () => {
      for (;;) {
        await fleet.clock.wait(50, over.signal);
        const loads = fleet.instances.map((instance) => instance.load);
        differences.push(Math.max(...loads) - Math.min(...loads));
      }
    };
    watch().catch(() => undefined);
    const answers = await fleet.run(fleet.load(load));
    over.abort();
    const sum = differences.reduce((total, difference) => total + difference, 0);
    return { answers, most: Math.max(...differences), average: sum / differences.length };
  }

  it.each([1, 16])(
    'differs by at most 2 at every moment below CPU saturation, with %i isolates',
    async (isolates) => {
      const seen = await observe(isolates, { calls: 1000, everyMs: 400, meanMs: 800 });
      expect(failures(seen.answers)).toEqual([]);
      expect(seen.most).toBeLessThanOrEqual(2);
    },
  );

  // Calls leave the queue at different times, which the routing cannot predict.
  it.each([1, 16])(
    'differs by at most 2 on average while calls queue, with %i isolates',
    async (isolates) => {
      const seen = await observe(isolates, { calls: 1500, everyMs: 107, meanMs: 800 });
      expect(failures(seen.answers)).toEqual([]);
      expect(seen.average).toBeLessThanOrEqual(2);
    },
  );
});

const FAULTS = ['die', 'hang', 'slow', 'replace'] as const;

interface Fault {
  how: (typeof FAULTS)[number];
  instance: number;
  /** The pause before the fault, in seconds. */
  pause: number;
  /** The duration in seconds. */
  length: number;
}

const fault = (most: { pause: number; length: number }) =>
  fc.record({
    how: fc.constantFrom(...FAULTS),
    instance: fc.nat(4),
    pause: fc.integer({ min: 0, max: most.pause }),
    length: fc.integer({ min: 1, max: most.length }),
  });

async function strike(fleet: Simulation, { how, instance: number, length }: Fault): Promise<void> {
  const instance = fleet.instances[number]!;
  if (how === 'replace') return instance.replace(length * 1000);
  if (how === 'slow') instance.speed = 0.1;
  else instance[how]();
  await fleet.clock.wait(length * 1000);
  if (how === 'slow') instance.speed = 1;
  else instance.revive();
}

describe('any sequence of faults', () => {
  it('fails no call if one instance at a time has a fault', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault({ pause: 30, length: 60 }), { minLength: 1, maxLength: 6 }),
        fc.integer(),
        async (faults, seed) => {
          const fleet = new Simulation({ isolates: 2, seed });
          const strikes = async () => {
            for (const one of faults) {
              // The calls that the last fault interrupted are retried and answered during this time.
              await fleet.clock.wait((10 + one.pause) * 1000);
              await strike(fleet, one);
            }
          };
          const answers = await fleet.run(fleet.load({ calls: 300 }), strikes());
          expect(failures(answers)).toEqual([]);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('leaves no call without a response, and all return 200 afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault({ pause: 10, length: 60 }), { minLength: 2, maxLength: 12 }),
        fc.integer(),
        async (faults, seed) => {
          const fleet = new Simulation({ isolates: 2, seed });
          let begin = 0;
          const strikes = Promise.all(
            faults.map(async (one) => {
              begin += one.pause * 1000;
              await fleet.clock.wait(begin);
              await strike(fleet, one);
            }),
          );
          const answers = await fleet.run(fleet.load({ calls: 300 }), strikes);
          for (const { status, durationMs, retryAfter } of failures(answers)) {
            expect(status).toBe(503);
            expect(retryAfter).toBeGreaterThan(0);
            expect(durationMs).toBeLessThan(120_000);
          }
          for (const instance of fleet.instances) instance.revive();
          await fleet.run(fleet.clock.wait(5000));
          expect(failures(await fleet.run(fleet.load({ calls: 50 })))).toEqual([]);
        },
      ),
      { numRuns: 20 },
    );
  });
});
