/** What one subject (an address, a key, an account) has used: its windows and its calendar quotas, in memory. */

import { periodOf } from '../core/calendar.ts';
import type { Ask, Standing, Verdict } from '../core/counters.ts';
import { SlidingWindow } from './sliding-window.ts';

interface Calendar {
  /** The day or month that is counted, as text. */
  period: string;
  /** When it ends; milliseconds since the epoch. */
  end: number;
  used: number;
}

interface Window {
  span: number;
  log: SlidingWindow;
}

/** As kept in storage. */
export interface SavedCounters {
  windows: [policy: string, span: number, times: number[]][];
  quotas: [policy: string, quota: Calendar][];
}

export class SubjectCounters {
  readonly #windows = new Map<string, Window>();
  readonly #quotas = new Map<string, Calendar>();
  #newest = 0;

  constructor(saved?: SavedCounters) {
    for (const [policy, span, times] of saved?.windows ?? []) {
      this.#windows.set(policy, { span, log: new SlidingWindow(times) });
      this.#newest = Math.max(this.#newest, times.at(-1) ?? 0);
    }
    for (const [policy, quota] of saved?.quotas ?? []) this.#quotas.set(policy, { ...quota });
  }

  /** Takes what every ask wants, or nothing where one of them refuses. */
  take(asks: readonly Ask[], clock: number): Verdict {
    const now = this.#time(clock);
    const allowed = asks.every((ask) => this.#freeAt(ask, now) <= now);
    if (allowed) for (const ask of asks) this.#add(ask, now, ask.cost);
    return { allowed, at: now, standings: asks.map((ask) => this.#standing(ask, now, allowed)) };
  }

  /** Returns the units that `take` took at the time `at`. */
  release(asks: readonly Ask[], at: number): void {
    for (const ask of asks) {
      if (ask.per === 'window') this.#windows.get(ask.policy)?.log.remove(at, ask.cost);
      else {
        const quota = this.#quotas.get(ask.policy);
        if (quota && quota.period === periodOf(ask.per, at).name) {
          quota.used = Math.max(0, quota.used - ask.cost);
        }
      }
    }
  }

  /** Counts what was used after the fact, also beyond the limit. */
  charge(ask: Ask, clock: number): void {
    this.#add(ask, this.#time(clock), ask.cost);
  }

  /** What is left now, with nothing taken. */
  standings(asks: readonly Ask[], clock: number): Standing[] {
    const now = this.#time(clock);
    return asks.map((ask) => this.#standing(ask, now, true));
  }

  /** Forgets what is over. When the rest will be, or null where nothing is left. */
  prune(clock: number): number | null {
    const now = this.#time(clock);
    let end: number | null = null;
    for (const [policy, { span, log }] of this.#windows) {
      log.prune(now, span);
      const newest = log.times.at(-1);
      if (newest === undefined) this.#windows.delete(policy);
      else end = Math.max(end ?? 0, newest + span + 1);
    }
    for (const [policy, quota] of this.#quotas) {
      if (quota.end <= now || quota.used === 0) this.#quotas.delete(policy);
      else end = Math.max(end ?? 0, quota.end);
    }
    return end;
  }

  save(): SavedCounters {
    return {
      windows: [...this.#windows].map(([policy, { span, log }]) => [policy, span, log.times]),
      quotas: [...this.#quotas],
    };
  }

  /** A clock that was set back stands still until it has caught up: else the log would not be in order. */
  #time(clock: number): number {
    this.#newest = Math.max(this.#newest, clock);
    return this.#newest;
  }

  #window(ask: Ask, now: number): SlidingWindow {
    const span = ask.seconds * 1000;
    let window = this.#windows.get(ask.policy);
    if (window) window.span = span;
    else {
      window = { span, log: new SlidingWindow() };
      this.#windows.set(ask.policy, window);
    }
    window.log.prune(now, span);
    return window.log;
  }

  #quota(ask: Ask, now: number): Calendar {
    const { name, end } = periodOf(ask.per as 'day' | 'month', now);
    let quota = this.#quotas.get(ask.policy);
    if (quota?.period !== name) {
      quota = { period: name, end, used: 0 };
      this.#quotas.set(ask.policy, quota);
    }
    return quota;
  }

  #freeAt(ask: Ask, now: number): number {
    if (ask.per === 'window') {
      return this.#window(ask, now).freeAt(ask.limit, ask.cost, ask.seconds * 1000);
    }
    const quota = this.#quota(ask, now);
    // What costs nothing yet may start while something is left.
    return quota.used + Math.max(ask.cost, 1) <= ask.limit ? 0 : quota.end;
  }

  #add(ask: Ask, now: number, cost: number): void {
    if (ask.per === 'window') this.#window(ask, now).add(now, cost);
    else this.#quota(ask, now).used += cost;
  }

  #standing(ask: Ask, now: number, allowed: boolean): Standing {
    const freeAt = this.#freeAt(ask, now);
    const refuses = !allowed && freeAt > now;
    if (ask.per === 'window') {
      const { times } = this.#window(ask, now);
      const unitAt = times.length > 0 ? times[0]! + ask.seconds * 1000 + 1 : now;
      return {
        remaining: Math.max(0, ask.limit - times.length),
        resetAt: refuses && Number.isFinite(freeAt) ? freeAt : unitAt,
        unitAt,
        refuses,
      };
    }
    const { used, end } = this.#quota(ask, now);
    return { remaining: Math.max(0, ask.limit - used), resetAt: end, unitAt: end, refuses };
  }
}
