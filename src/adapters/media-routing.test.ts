import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Region } from '../core/regions.ts';
import { MediaRouting, type RoutedCall, type RoutedInstance } from './media-routing.ts';

const NONE: ReadonlySet<RoutedInstance<string>> = new Set();
const first = () => 0;

/** Creates the instances `a`, `b`, … in one pool. Returns the routing and each instance by its name. */
function pool(count: number) {
  const names = [...'abcdefgh'].slice(0, count);
  const routing = new MediaRouting([{ region: undefined, instances: names }]);
  const found = routing.toCheck(0, count, undefined, NONE);
  const byName = Object.fromEntries(found.map((instance) => [instance.target, instance]));
  return { routing, byName, instances: found };
}

const chosen = (routing: MediaRouting<string>, now: number, random = first, tried = NONE) =>
  routing.choose(now, random, undefined, tried)?.target;

describe('media routing', () => {
  it('uses a sleeping instance only when every awake one has a call per core', () => {
    const { routing, byName } = pool(3);
    expect(chosen(routing, 0)).toBe('a');
    byName.a!.answered(0);
    byName.b!.answered(0);
    const taken: string[] = [];
    for (let call = 0; call < 5; call += 1) {
      const instance = routing.choose(0, first, undefined, NONE)!;
      instance.begin(0);
      taken.push(instance.target);
    }
    expect(taken.slice(0, 4).toSorted()).toEqual(['a', 'a', 'b', 'b']);
    expect(taken[4]).toBe('c');
  });

  it('chooses the less loaded of two random instances', () => {
    const { routing, byName, instances } = pool(4);
    for (const instance of instances) instance.answered(0, { calls: 1, cores: 2 });
    byName.c!.answered(0, { calls: 0, cores: 2 });
    const numbers = [0.3, 0.4];
    // The routing compares b and d, which are equal, and then c and a.
    expect(chosen(routing, 0, () => numbers.shift() ?? 0.4)).toBe('b');
    expect(chosen(routing, 0, () => 0.6)).toBe('c');
  });

  it('measures load in calls per core, with the calls that an instance reports', () => {
    const { routing, byName } = pool(2);
    byName.a!.answered(0, { calls: 9, cores: 8 });
    byName.b!.answered(0, { calls: 4, cores: 2 });
    expect(chosen(routing, 0)).toBe('a');
    byName.a!.answered(1, { calls: 16, cores: 8 });
    byName.b!.answered(1, { calls: 2, cores: 2 });
    expect(chosen(routing, 1)).toBe('b');
  });

  it('counts a call once: as local until the instance reports it, and not after it ends', () => {
    const { byName } = pool(1);
    const instance = byName.a!;
    const short = instance.begin(0);
    const long = instance.begin(0);
    expect(instance.calls(0)).toBe(2);
    instance.answered(1, { calls: 3, cores: 2 }, short);
    instance.end(short);
    expect(instance.calls(1)).toBe(3);
    instance.begin(2);
    expect(instance.calls(2)).toBe(4);
    instance.end(long);
    expect(instance.calls(2)).toBe(3);
  });

  it('discards a reported load after two seconds, and an unfinished call after the longest timeout', () => {
    const { byName } = pool(1);
    const instance = byName.a!;
    instance.begin(0);
    instance.answered(0, { calls: 7, cores: 2 });
    expect(instance.calls(1999)).toBe(7);
    expect(instance.calls(2000)).toBe(1);
    expect(instance.calls(5 * 60_000)).toBe(0);
  });

  it('avoids a failed instance for 30 seconds, and twice as long after each further failure', () => {
    const { routing, byName } = pool(2);
    const instance = byName.a!;
    instance.failed(0);
    // Simulates a failure of a concurrent call, which must not be counted again.
    instance.failed(1);
    expect(chosen(routing, 29_999)).toBe('b');
    expect(instance.isUnhealthy(30_000)).toBe(false);
    instance.failed(30_000);
    expect(instance.unhealthyUntil).toBe(90_000);
    for (const now of [90_000, 300_000, 600_000, 1_200_000]) instance.failed(now);
    expect(instance.unhealthyUntil).toBe(1_200_000 + 5 * 60_000);
    instance.answered(1_300_000);
    expect(instance.isUnhealthy(1_300_000)).toBe(false);
    instance.failed(1_300_000);
    expect(instance.unhealthyUntil).toBe(1_330_000);
  });

  it('never chooses an instance that the call already tried', () => {
    const { routing, byName } = pool(2);
    expect(chosen(routing, 0, first, new Set([byName.a!]))).toBe('b');
    expect(chosen(routing, 0, first, new Set([byName.a!, byName.b!]))).toBeUndefined();
  });

  it('checks unhealthy instances once per second, starting with the first ones due', () => {
    const { routing, byName } = pool(3);
    byName.b!.failed(5000);
    byName.c!.failed(5001);
    byName.a!.failed(5002);
    const checked = (now: number) =>
      routing.toCheck(now, 2, undefined, NONE).map(({ target }) => target);
    expect(chosen(routing, 6000)).toBeUndefined();
    expect(checked(6000)).toEqual(['b', 'c']);
    expect(checked(6999)).toEqual([]);
    expect(checked(7000)).toEqual(['b', 'c']);
  });

  it('prefers the nearest pool, and uses the next one when that pool is unhealthy', () => {
    const regions: Region[] = ['weur', 'enam', 'apac'];
    const routing = new MediaRouting<string>(
      regions.map((region) => ({ region, instances: [region] })),
    );
    const near = (continent?: string) => routing.choose(0, first, continent, NONE);
    expect(near('EU')?.target).toBe('weur');
    expect(near('SA')?.target).toBe('enam');
    expect(near('OC')?.target).toBe('apac');
    expect(near()?.target).toBe('weur');
    near('EU')!.failed(0);
    expect(near('EU')?.target).toBe('enam');
  });

  it('keeps the difference between two awake instances at 2 or less', () => {
    const step = fc.record({ begins: fc.boolean(), which: fc.nat(), random: fc.double(UNIT) });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), fc.array(step, { maxLength: 80 }), (n, steps) => {
        const { routing, instances } = pool(n);
        for (const instance of instances) instance.answered(0);
        const open: [RoutedInstance<string>, RoutedCall][] = [];
        for (const { begins, which, random } of steps) {
          if (begins) {
            const instance = routing.choose(0, () => random, undefined, NONE)!;
            open.push([instance, instance.begin(0)]);
            const least = Math.min(...instances.map((other) => other.calls(0)));
            expect(instance.calls(0) - least).toBeLessThanOrEqual(2);
          } else {
            const [ended] = open.splice(which % Math.max(1, open.length), 1);
            ended?.[0].end(ended[1]);
          }
        }
      }),
    );
  });

  it('always chooses a healthy instance if there is one', () => {
    const event = fc.record({
      what: fc.constantFrom('fails', 'answers', 'chooses'),
      which: fc.nat(4),
      after: fc.integer({ min: 0, max: 60_000 }),
      random: fc.double(UNIT),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const { routing, instances } = pool(5);
        let now = 0;
        for (const { what, which, after, random } of events) {
          now += after;
          if (what === 'fails') instances[which]!.failed(now);
          else if (what === 'answers') instances[which]!.answered(now);
          const one = routing.choose(now, () => random, undefined, NONE);
          const healthy = instances.filter((instance) => !instance.isUnhealthy(now));
          if (healthy.length > 0) expect(healthy).toContain(one);
          else expect(one).toBeUndefined();
        }
      }),
    );
  });
});

/** The range of the numbers that `Math.random` returns. */
const UNIT = { min: 0, max: 1, maxExcluded: true, noNaN: true } as const;
