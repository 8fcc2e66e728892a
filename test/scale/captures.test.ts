/** Simulates storms of captures on a simulated clock and platform, with the real browser pool. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('cloudflare:workers', () => ({
  waitUntil: () => {},
  DurableObject: class {
    readonly env: unknown;
    constructor(_: unknown, env: unknown) {
      this.env = env;
    }
  },
}));
vi.mock('../../src/adapters/browser-session.ts', () => ({
  closeSession: async (_: unknown, id: string) => platform.close(id),
}));

import { CachedResults } from '../../src/adapters/cached-results.ts';
import { CaptureSlots } from '../../src/adapters/capture-slots.ts';
import { R2Cache } from '../../src/adapters/r2-cache.ts';
import { RegionBrowsers } from '../../src/adapters/region-browsers.ts';
import type { Caller } from '../../src/core/caller.ts';
import { BROWSERS } from '../../src/core/settings.ts';
import { unlimitedStorage } from '../support/unlimited-storage.ts';
import { SimulatedBucket } from './simulated-bucket.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { CEILINGS, Rate, reportStorm } from './storm-report.ts';

const HOUR_MS = 3_600_000;
/**
 * The documented limits of Browser Run: the number of concurrent browsers per account, and the minimum time between two
 * launches.
 */
const ALLOWED = { browsers: 120, launchMs: 1000 };
/** The time that a launch takes, in milliseconds. */
const START_MS = 1000;
const MAX_CAPTURES = 10;

/**
 * Simulates Browser Run. Refuses launches that exceed its limits, and bills each browser from its launch until it is
 * closed.
 */
class Platform {
  billedMs = 0;
  refused = 0;
  launches = 0;
  mostOpen = 0;
  readonly started = new Rate(() => clock.now());
  readonly #open = new Map<string, number>();
  #lastLaunch = Number.NEGATIVE_INFINITY;

  async launch(): Promise<string> {
    const now = clock.now();
    if (this.#open.size >= ALLOWED.browsers || now - this.#lastLaunch < ALLOWED.launchMs) {
      this.refused += 1;
      throw new Error('429');
    }
    this.#lastLaunch = now;
    this.launches += 1;
    this.started.count();
    const id = String(this.launches);
    this.#open.set(id, now);
    this.mostOpen = Math.max(this.mostOpen, this.#open.size);
    await clock.wait(START_MS);
    return id;
  }

  close(id: string): void {
    this.billedMs += clock.now() - this.#open.get(id)!;
    this.#open.delete(id);
  }

  get open(): number {
    return this.#open.size;
  }
}

const realNow = Date.now;
let clock: SimulatedClock;
let platform: Platform;
let pool: RegionBrowsers;
beforeEach(() => {
  clock = new SimulatedClock();
  platform = new Platform();
  Date.now = () => clock.now();
  vi.stubGlobal('scheduler', { wait: (ms: number) => clock.wait(ms) });
  // The real function finishes in another thread, and the simulated clock does not wait for that thread.
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(
    async (_, bytes) =>
      Uint8Array.from(
        createHash('sha256')
          .update(bytes as Uint8Array)
          .digest(),
      ).buffer,
  );
  vi.stubGlobal('setTimeout', (ring: () => void, ms: number) => clock.at(clock.now() + ms, ring));
  vi.stubGlobal('clearTimeout', (cancel?: () => void) => cancel?.());
  pool = new RegionBrowsers({} as never, {} as never);
});
afterEach(() => {
  Date.now = realNow;
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/**
 * Returns a stub through which isolates call a region's pool, and a function that reports the counted requests and
 * waiting callers.
 */
function metered(region: RegionBrowsers) {
  const requests = new Rate(() => clock.now());
  let queue = 0;
  const counted = <T>(request: () => T): Promise<T> => {
    requests.count();
    const answer = request();
    queue = Math.max(queue, region.load().waiting);
    return Promise.resolve(answer);
  };
  const stub = {
    enter: (caller: string) => counted(() => region.enter(caller)),
    next: (ticket: number) => counted(() => region.next(ticket)),
    leave: (...given: Parameters<RegionBrowsers['leave']>) => counted(() => region.leave(...given)),
  };
  const part = (name: string) => ({ name, peak: requests.peak, queue, ceiling: CEILINGS.object });
  return { stub, part };
}

/** Creates the capture slots of a new isolate. */
const newIsolate = (stub: object = pool) =>
  new CaptureSlots({ getByName: () => stub } as never, [], async (call) => call());

const addressOf = (number: number) => `10.0.${number >> 8}.${number & 255}`;

const never = new AbortController().signal;

/**
 * Simulates a capture that takes `drawMs`. `isDrawn` ends the wait for a slot if another capture has already rendered
 * the page.
 */
async function capture(
  slots: CaptureSlots,
  from: Partial<Caller>,
  drawMs: number,
  isDrawn = async () => false,
): Promise<void> {
  const slot = await slots.take(from as Caller, never, isDrawn);
  if (!slot) return;
  const launched = clock.now();
  const session =
    slot.browser === 'launch'
      ? { ...{ id: await platform.launch(), agent: '' }, ...{ captures: 0, launched } }
      : slot.browser;
  await clock.wait(drawMs);
  const captures = session.captures + 1;
  if (captures < MAX_CAPTURES) return slot.leave({ ...session, captures });
  platform.close(session.id);
  return slot.leave();
}

/** Counts the successful captures and the captures that were refused with 503. Rethrows other errors. */
async function outcome(captures: readonly Promise<void>[]) {
  const done = await Promise.allSettled(captures);
  const errors = done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  for (const error of errors) if (error.status !== 503) throw error;
  return { drawn: done.length - errors.length, refused: errors.length };
}

const launches = () => ({
  name: 'launches of browsers',
  peak: platform.started.peak,
  ceiling: CEILINGS.launches,
});

describe('the browser pool', () => {
  it('captures 1,000 pages in an hour from 200 isolates for at most 1.3 times their browser seconds', async () => {
    const isolates = Array.from({ length: 200 }, newIsolate);
    let ownMs = 0;
    const storm = Array.from({ length: 1000 }, async (_, number) => {
      const drawMs = 2000 + clock.random() * 4000;
      // Adds up the cost without a pool, where each capture launches and closes its own browser.
      ownMs += START_MS + drawMs;
      const isolate = isolates[Math.floor(clock.random() * isolates.length)]!;
      await clock.wait(clock.random() * HOUR_MS);
      await capture(isolate, { address: addressOf(number) }, drawMs);
    });
    expect(await clock.runUntil(outcome(storm))).toEqual({ drawn: 1000, refused: 0 });
    await clock.runUntil(clock.wait(HOUR_MS));
    console.log(
      `1,000 captures in an hour: ${(platform.billedMs / ownMs).toFixed(2)} of their own browser seconds, ` +
        `${platform.launches} launches, at most ${platform.mostOpen} browsers`,
    );
    expect(platform.billedMs / ownMs).toBeLessThanOrEqual(1.3);
    expect(platform).toMatchObject({ refused: 0, open: 0 });
  });

  it('captures as many of 1,000 concurrent calls as it can, and refuses the others with 503', async () => {
    const { stub, part } = metered(pool);
    const isolates = Array.from({ length: 200 }, () => newIsolate(stub));
    const storm = Array.from({ length: 1000 }, (_, number) =>
      capture(isolates[number % 200]!, { address: addressOf(number) }, 3000),
    );
    const { drawn, refused } = await clock.runUntil(outcome(storm));
    await clock.runUntil(clock.wait(HOUR_MS));
    expect(drawn).toBeGreaterThanOrEqual(5 * BROWSERS);
    expect(drawn + refused).toBe(1000);
    expect(platform).toMatchObject({ refused: 0, open: 0 });
    const used = `${drawn} drawn, ${refused} refused, at most ${platform.mostOpen} browsers`;
    const parts = [part('the object of the pool'), launches()];
    const contract = { [`${BROWSERS} browsers at once`]: platform.mostOpen > BROWSERS };
    expect(reportStorm(`1,000 pages captured at once: ${used}`, parts, contract)).toEqual([]);
  });

  it('switches to another region while its region fails, and loses no finished capture', async () => {
    const pools = { weur: pool, enam: new RegionBrowsers({} as never, {} as never) };
    const [failsAt, worksAt] = [HOUR_MS / 3, (HOUR_MS * 2) / 3];
    const requested = { weur: 0, enam: 0 };
    const meters = { weur: metered(pools.weur), enam: metered(pools.enam) };
    const enter = (region: keyof typeof pools) => (caller: string) => {
      if (region === 'weur' && clock.now() > failsAt && clock.now() < worksAt)
        throw new Error('The region fails.');
      requested[region] += 1;
      return meters[region].stub.enter(caller);
    };
    const getByName = (region: keyof typeof pools) => ({
      ...meters[region].stub,
      enter: async (caller: string) => enter(region)(caller),
    });
    const regions = ['enam', 'weur'] as const;
    const slots = new CaptureSlots({ getByName } as never, regions, async (call) => call());
    const storm = Array.from({ length: 300 }, async (_, number) => {
      await clock.wait((number / 300) * HOUR_MS);
      const caller = { address: addressOf(number), continent: 'EU' };
      await capture(slots, caller, 3000);
    });
    const { drawn, refused } = await clock.runUntil(outcome(storm));
    expect({ drawn, refused }).toEqual({ drawn: 300, refused: 0 });
    expect(requested).toEqual({ weur: 201, enam: 99 });
    const parts = [meters.weur.part('the pool of weur'), meters.enam.part('the pool of enam')];
    const contract = { 'every capture is drawn': drawn < 300 };
    expect(
      reportStorm('a region fails for 20 minutes, 300 captures', [...parts, launches()], contract),
    ).toEqual([]);
  });

  it('captures a page requested by 1,000 calls a few times, and serves the others from the cache', async () => {
    const { stub, part } = metered(pool);
    const bucket = new SimulatedBucket(clock);
    const isolates = Array.from({ length: 100 }, () => ({
      slots: newIsolate(stub),
      results: new CachedResults(new R2Cache(bucket as never, unlimitedStorage)),
    }));
    const storm = Array.from({ length: 1000 }, async (_, number) => {
      const { slots, results } = isolates[number % isolates.length]!;
      await clock.wait(clock.random() * 1000);
      const draw = async (look: () => Promise<string | null>) => {
        let known: string | null = null;
        const isDrawn = async () => {
          known = await look();
          return known !== null;
        };
        await capture(slots, { address: addressOf(number) }, 3000, isDrawn);
        return known ?? 'an image';
      };
      const { value } = await results.remember(['a page'], 3600, never, draw);
      expect(value).toBe('an image');
    });
    const { drawn, refused } = await clock.runUntil(outcome(storm));
    const slowest = Math.round(clock.now() / 1000);
    await clock.runUntil(clock.wait(HOUR_MS));
    expect({ drawn, refused }).toEqual({ drawn: 1000, refused: 0 });
    expect(platform).toMatchObject({ refused: 0, open: 0 });
    expect(platform.launches).toBeLessThanOrEqual(10);
    const used = `${platform.launches} browsers, ${bucket.writes.total} writes, done after ${slowest} s`;
    const parts = [
      part('the object of the pool'),
      launches(),
      { name: 'reads of R2', peak: bucket.reads.peak, ceiling: CEILINGS.unlimited },
      { name: 'writes of the result', peak: bucket.writes.peak, ceiling: CEILINGS.sameKey },
    ];
    const contract = { 'everyone gets the image': drawn < 1000 };
    expect(
      reportStorm(`a page that 1,000 callers capture at once: ${used}`, parts, contract),
    ).toEqual([]);
  });

  it('frees the slot of a terminated isolate', async () => {
    const isolate = newIsolate();
    const lost = () => isolate.take({ address: '10.0.0.1' } as Caller, never, async () => false);
    await clock.runUntil(Promise.all([lost(), lost()]));
    expect(pool.load()).toMatchObject({ running: 2 });
    await clock.runUntil(clock.wait(HOUR_MS));
    expect(pool.load()).toMatchObject({ running: 0 });
  });
});
