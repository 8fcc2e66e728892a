/** Assigns slots in the browser pools, one pool per region. */
import { waitUntil } from 'cloudflare:workers';
import type { Caller } from '../core/caller.ts';
import { unavailable } from '../core/errors.ts';
import { distance, type Region } from '../core/regions.ts';
import type { BrowserSession, NextStep } from './browser-pool.ts';
import { ownerOf } from './caller-owner.ts';
import type { Guard } from './guard.ts';

const MAX_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 200;
const RETRY_SECONDS = 10;

export interface CaptureSlot {
  /** The idle browser to use, or `launch` to launch one. */
  browser: BrowserSession | 'launch';
  /**
   * Releases the slot. Further calls do nothing. Never rejects. If the next capture can reuse the browser, pass its
   * session.
   */
  leave(session?: BrowserSession): Promise<void>;
}

export class CaptureSlots {
  readonly #namespace: Cloudflare.Env['BROWSERS_OF_REGION'];
  readonly #regions: readonly (Region | undefined)[];
  readonly #guard: Guard;

  /** @param regions the regions that have a pool. If there are none, one pool is created near its first caller. */
  constructor(
    namespace: Cloudflare.Env['BROWSERS_OF_REGION'],
    regions: readonly Region[],
    guard: Guard,
  ) {
    this.#namespace = namespace;
    this.#regions = regions.length > 0 ? regions : [undefined];
    this.#guard = guard;
  }

  /** Returns the numbers of running and waiting captures in all regions, and the number of idle browsers. */
  async load(): Promise<{ running: number; waiting: number; idle: number }> {
    const sum = { running: 0, waiting: 0, idle: 0 };
    const loads = this.#regions.map((region) => this.#guard(() => this.#pool(region).load()));
    for (const { running, waiting, idle } of await Promise.all(loads)) {
      sum.running += running;
      sum.waiting += waiting;
      sum.idle += idle;
    }
    return sum;
  }

  /**
   * Waits for a slot in the nearest region whose pool responds. Throws 503 if all browsers stay busy. After a wait,
   * calls `isDrawn` and returns null if another isolate has captured the page in the meantime.
   */
  async take(
    caller: Caller,
    signal: AbortSignal,
    isDrawn: () => Promise<boolean>,
  ): Promise<CaptureSlot | null> {
    const { pool, entered } = await this.#enter(caller);
    if (!entered) throw busy();
    let hasLeft = false;
    const leave = async (session?: BrowserSession) => {
      if (hasLeft) return;
      hasLeft = true;
      // The guard logs a failure. It must not replace the capture or the error of a failed capture.
      await this.#guard(() => pool.leave(entered.ticket, session)).catch(() => {});
    };
    // Releases the slot as soon as the caller disconnects, because code after the next I/O may never run.
    signal.addEventListener('abort', () => waitUntil(leave()), { once: true });
    try {
      signal.throwIfAborted();
      const next = () => this.#guard<NextStep>(async () => pool.next(entered.ticket));
      const browser = await granted(entered.step, next, signal);
      if (entered.step !== 'wait' || !(await isDrawn())) return { browser, leave };
      await leave(browser === 'launch' ? undefined : browser);
      return null;
    } catch (error) {
      await leave();
      throw error;
    }
  }

  #pool(region: Region | undefined) {
    return this.#namespace.getByName(region ?? 'all', region && { locationHint: region });
  }

  async #enter(caller: Caller) {
    const owner = ownerOf(caller).id;
    const from = (region: Region | undefined) => distance(caller.continent, region);
    const regions = this.#regions.toSorted((one, other) => from(one) - from(other));
    let failure: unknown;
    for (const region of regions) {
      const pool = this.#pool(region);
      try {
        return { pool, entered: await this.#guard(() => pool.enter(owner)) };
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

/** Polls until the capture may begin, because another request's promise may never settle. */
async function granted(
  first: NextStep,
  next: () => Promise<NextStep>,
  signal: AbortSignal,
): Promise<BrowserSession | 'launch'> {
  const end = Date.now() + MAX_WAIT_MS;
  for (let step = first; ; step = await next()) {
    if (step === 'refused' || (step === 'wait' && Date.now() > end)) throw busy();
    if (step !== 'wait') return step;
    await scheduler.wait(LOOK_AGAIN_MS, { signal });
  }
}

const busy = () =>
  unavailable(`All browsers are busy. Try again in ${RETRY_SECONDS} seconds.`, RETRY_SECONDS);
