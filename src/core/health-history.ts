/**
 * Stores the health checks of the last 24 hours and their daily counts for 90 days. They survive restarts, and reading
 * them does not trigger a check.
 */
import { DAY_MS, periodOf } from './calendar.ts';
import type { PartHealth } from './health.ts';

export interface HealthCheck {
  /** The time in milliseconds since the epoch. */
  at: number;
  parts: readonly Pick<PartHealth, 'name' | 'state' | 'ms'>[];
}

/** The number of checks of a part on a day, and how many of them found it degraded or down. */
export interface HealthDay {
  /** The UTC day as YYYY-MM-DD. */
  day: string;
  part: string;
  checks: number;
  degraded: number;
  down: number;
}

export interface HealthStore {
  /** Adds a check and counts it for its day. Deletes the checks and days before `oldest`. */
  add(check: HealthCheck, oldest: { check: number; day: string }): Promise<void>;
  /** Returns the checks since `time`, oldest first. */
  since(time: number): Promise<HealthCheck[]>;
  /** Returns the counts for `first` and all later days. */
  days(first: string): Promise<HealthDay[]>;
}

export const HISTORY_DAYS = 90;

/**
 * The time for which stored checks are cached, in milliseconds. Page reloads within this time do not query the
 * database.
 */
const FRESH_MS = 10_000;

interface History {
  /** The checks of the last 24 hours, oldest first. */
  checks: HealthCheck[];
  days: HealthDay[];
}

export class HealthHistory {
  readonly #store: HealthStore;
  readonly #checkParts: (wakes: boolean) => Promise<PartHealth[]>;
  readonly #onError: (error: unknown) => void;
  /** This isolate's latest check, which is used if the store could not save it. */
  #latest: HealthCheck | undefined;
  #read: (History & { at: number }) | undefined;

  /** `onError` receives the errors that the store throws. */
  constructor(
    store: HealthStore,
    checkAll: (wakes: boolean) => Promise<PartHealth[]>,
    onError: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#checkParts = checkAll;
    this.#onError = onError;
  }

  /** Checks every part. Wakes sleeping parts only if `wakes` is set. Never throws. */
  async check(wakes: boolean): Promise<PartHealth[]> {
    const parts = await this.#checkParts(wakes);
    const at = Date.now();
    this.#latest = { at, parts: parts.map(({ name, state, ms }) => ({ name, state, ms })) };
    this.#read = undefined;
    // If the database fails, this isolate still has its latest check in memory.
    await this.#store
      .add(this.#latest, { check: at - DAY_MS, day: firstDay(at) })
      .catch(this.#onError);
    return parts;
  }

  /** Reads the stored checks and days. Data that cannot be read is omitted. Never throws. */
  async read(): Promise<History> {
    const now = Date.now();
    if (this.#read && now - this.#read.at < FRESH_MS) return this.#read;
    const none = (error: unknown) => {
      this.#onError(error);
      return [];
    };
    const [stored, days] = await Promise.all([
      this.#store.since(now - DAY_MS).catch(none),
      this.#store.days(firstDay(now)).catch(none),
    ]);
    const isMissing = this.#latest && this.#latest.at > (stored.at(-1)?.at ?? 0);
    const checks = isMissing ? [...stored, this.#latest!] : stored;
    this.#read = { at: now, checks, days };
    return this.#read;
  }

  /** Returns the latest check of any isolate, or undefined if there was none in the last 24 hours. Never throws. */
  async last(): Promise<HealthCheck | undefined> {
    return (await this.read()).checks.at(-1);
  }
}

const firstDay = (now: number): string => periodOf('day', now - (HISTORY_DAYS - 1) * DAY_MS).name;
