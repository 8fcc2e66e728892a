/** The health checks of the last 24 hours. They survive restarts, and reading them checks nothing. */
import { DAY_MS } from './calendar.ts';
import type { PartHealth } from './health.ts';

export interface HealthCheck {
  /** Milliseconds since the epoch. */
  at: number;
  parts: readonly Pick<PartHealth, 'name' | 'state' | 'ms'>[];
}

export interface HealthStore {
  /** Adds a check, and deletes those before `oldest`. */
  add(check: HealthCheck, oldest: number): Promise<void>;
  /** The checks since then, oldest first. */
  since(time: number): Promise<HealthCheck[]>;
}

/** How long a reading is reused, so that reloads of a page do not load the database. */
const FRESH_MS = 10_000;

export class HealthHistory {
  readonly #store: HealthStore;
  readonly #checkParts: (wakes: boolean) => Promise<PartHealth[]>;
  /** This isolate's latest check, which the store may have failed to take. */
  #latest: HealthCheck | undefined;
  #read: { at: number; checks: HealthCheck[] } | undefined;

  constructor(store: HealthStore, checkAll: (wakes: boolean) => Promise<PartHealth[]>) {
    this.#store = store;
    this.#checkParts = checkAll;
  }

  /** Checks every part. Parts that sleep are started only if `wakes`. Never throws. */
  async check(wakes: boolean): Promise<PartHealth[]> {
    const parts = await this.#checkParts(wakes);
    const at = Date.now();
    this.#latest = { at, parts: parts.map(({ name, state, ms }) => ({ name, state, ms })) };
    this.#read = undefined;
    // Without the database, what this isolate knows must do.
    await this.#store.add(this.#latest, at - DAY_MS).catch(() => {});
    return parts;
  }

  /** Oldest first. Never throws. */
  async lastDay(): Promise<HealthCheck[]> {
    const now = Date.now();
    if (this.#read && now - this.#read.at < FRESH_MS) return this.#read.checks;
    const stored = await this.#store.since(now - DAY_MS).catch(() => []);
    const isMissing = this.#latest && this.#latest.at > (stored.at(-1)?.at ?? 0);
    const checks = isMissing ? [...stored, this.#latest!] : stored;
    this.#read = { at: now, checks };
    return checks;
  }
}
