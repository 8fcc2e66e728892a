/** Storms of captures before the real pool of browsers, on a simulated clock and platform. */
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

import { CaptureSlots } from '../../src/adapters/capture-slots.ts';
import { RegionBrowsers } from '../../src/adapters/region-browsers.ts';
import type { Caller } from '../../src/core/caller.ts';
import { BROWSERS } from '../../src/core/settings.ts';
import { SimulatedClock } from './simulated-clock.ts';

const HOUR_MS = 3_600_000;
/**
 * The documented limits of Browser Run: concurrent browsers of an account, and the minimum time between two launches.
 */
const ALLOWED = { browsers: 120, launchMs: 1000 };
/** The duration of a launch. */
const START_MS = 1000;
const MOST_CAPTURES = 10;

/** Browser Run: refuses what its limits forbid, and bills each browser from its launch until it is closed. */
class Platform {
  billedMs = 0;
  refused = 0;
  launches = 0;
  mostOpen = 0;
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
  vi.stubGlobal('setTimeout', (ring: () => void, ms: number) => clock.at(clock.now() + ms, ring));
  vi.stubGlobal('clearTimeout', (cancel?: () => void) => cancel?.());
  pool = new RegionBrowsers({} as never, {} as never);
});
afterEach(() => {
  Date.now = realNow;
  vi.unstubAllGlobals();
});

/** The capture slots as seen from one isolate. */
const newIsolate = () =>
  new CaptureSlots({ getByName: () => pool } as never, [], async (call) => call());

const addressOf = (number: number) => `10.0.${number >> 8}.${number & 255}`;

/** Captures a page that takes this long to draw. */
async function capture(slots: CaptureSlots, from: Partial<Caller>, drawMs: number): Promise<void> {
  const caller = from as Caller;
  const slot = await slots.take(caller, new AbortController().signal);
  const launched = clock.now();
  const session =
    slot.browser === 'launch'
      ? { ...{ id: await platform.launch(), agent: '' }, ...{ captures: 0, launched } }
      : slot.browser;
  await clock.wait(drawMs);
  const captures = session.captures + 1;
  if (captures < MOST_CAPTURES) return slot.leave({ ...session, captures });
  platform.close(session.id);
  return slot.leave();
}

/** Counts the captures that were drawn, and those refused with 503. Throws any other error. */
async function outcome(captures: readonly Promise<void>[]) {
  const done = await Promise.allSettled(captures);
  const errors = done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  for (const error of errors) if (error.status !== 503) throw error;
  return { drawn: done.length - errors.length, refused: errors.length };
}

describe('the pool of browsers', () => {
  it('captures 1,000 pages in an hour from 200 isolates for 1.3 times their own browser seconds', async () => {
    const isolates = Array.from({ length: 200 }, newIsolate);
    let ownMs = 0;
    const storm = Array.from({ length: 1000 }, async (_, number) => {
      const drawMs = 2000 + clock.random() * 4000;
      // The cost of the capture without a pool: a browser that is launched and closed for it.
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

  it('draws what it can when 1,000 callers capture at once, and refuses the others with 503', async () => {
    const isolates = Array.from({ length: 200 }, newIsolate);
    const storm = Array.from({ length: 1000 }, (_, number) =>
      capture(isolates[number % 200]!, { address: addressOf(number) }, 3000),
    );
    const { drawn, refused } = await clock.runUntil(outcome(storm));
    await clock.runUntil(clock.wait(HOUR_MS));
    console.log(
      `1,000 captures at once: ${drawn} drawn, ${refused} refused, ${platform.launches} launches, ` +
        `at most ${platform.mostOpen} browsers`,
    );
    expect(drawn).toBeGreaterThanOrEqual(5 * BROWSERS);
    expect(drawn + refused).toBe(1000);
    expect(platform).toMatchObject({ refused: 0, open: 0 });
    expect(platform.mostOpen).toBeLessThanOrEqual(BROWSERS);
  });

  it('is replaced by the next region’s while its region fails, and drawn captures lose nothing', async () => {
    const pools = { weur: pool, enam: new RegionBrowsers({} as never, {} as never) };
    const [failsAt, worksAt] = [HOUR_MS / 3, (HOUR_MS * 2) / 3];
    const requested = { weur: 0, enam: 0 };
    const enter = (region: keyof typeof pools) => (caller: string) => {
      if (region === 'weur' && clock.now() > failsAt && clock.now() < worksAt)
        throw new Error('The region fails.');
      requested[region] += 1;
      return pools[region].enter(caller);
    };
    const getByName = (region: keyof typeof pools) => ({
      enter: async (caller: string) => enter(region)(caller),
      next: async (ticket: number) => pools[region].next(ticket),
      leave: (...args: Parameters<typeof pool.leave>) => pools[region].leave(...args),
    });
    const regions = ['enam', 'weur'] as const;
    const slots = new CaptureSlots({ getByName } as never, regions, async (call) => call());
    const storm = Array.from({ length: 300 }, async (_, number) => {
      await clock.wait((number / 300) * HOUR_MS);
      const caller = { address: addressOf(number), continent: 'EU' };
      await capture(slots, caller, 3000);
    });
    expect(await clock.runUntil(outcome(storm))).toEqual({ drawn: 300, refused: 0 });
    expect(requested).toEqual({ weur: 201, enam: 99 });
  });

  it('frees the slot of an isolate that is gone', async () => {
    const isolate = newIsolate();
    const lost = () =>
      isolate.take({ address: '10.0.0.1' } as Caller, new AbortController().signal);
    await clock.runUntil(Promise.all([lost(), lost()]));
    expect(pool.load()).toMatchObject({ running: 2 });
    await clock.runUntil(clock.wait(HOUR_MS));
    expect(pool.load()).toMatchObject({ running: 0 });
  });
});
