/** Counts the units of one subject (an address, a key or an account) in memory, in windows and calendar quotas. */

import { periodOf } from '../core/calendar.ts';
import type { QuotaRequest, RemainingQuota, Verdict } from '../core/counters.ts';
import { SlidingWindow } from './sliding-window.ts';

interface Calendar {
  /** The name of the current day or month. */
  period: string;
  /** The end of the period, in milliseconds since the epoch. */
  end: number;
  used: number;
}

interface Window {
  span: number;
  log: SlidingWindow;
}

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

  /** Takes all requested units, or none if one request is refused. */
  take(quotaRequests: readonly QuotaRequest[], clock: number): Verdict {
    const now = this.#time(clock);
    const allowed = quotaRequests.every((quotaRequest) => this.#freeAt(quotaRequest, now) <= now);
    if (allowed)
      for (const quotaRequest of quotaRequests) this.#add(quotaRequest, now, quotaRequest.cost);
    return {
      allowed,
      at: now,
      remainingQuotas: quotaRequests.map((quotaRequest) =>
        this.#remainingQuota(quotaRequest, now, allowed),
      ),
    };
  }

  /** Releases the units that `take` took at `at`. */
  release(quotaRequests: readonly QuotaRequest[], at: number): void {
    for (const quotaRequest of quotaRequests) {
      if (quotaRequest.per === 'window')
        this.#windows.get(quotaRequest.policy)?.log.remove(at, quotaRequest.cost);
      else {
        const quota = this.#quotas.get(quotaRequest.policy);
        if (quota && quota.period === periodOf(quotaRequest.per, at).name) {
          quota.used = Math.max(0, quota.used - quotaRequest.cost);
        }
      }
    }
  }

  /** Adds units that were already used, even beyond the limit. */
  charge(quotaRequest: QuotaRequest, clock: number): void {
    this.#add(quotaRequest, this.#time(clock), quotaRequest.cost);
  }

  /** Returns the remaining quotas without consuming any. */
  remainingQuotas(quotaRequests: readonly QuotaRequest[], clock: number): RemainingQuota[] {
    const now = this.#time(clock);
    return quotaRequests.map((quotaRequest) => this.#remainingQuota(quotaRequest, now, true));
  }

  /** Drops expired entries. Returns the time at which the last remaining entry expires, or null if none remains. */
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

  /**
   * Returns the current time. If the clock was set back, returns the latest known time instead, so that the recorded
   * times stay in order.
   */
  #time(clock: number): number {
    this.#newest = Math.max(this.#newest, clock);
    return this.#newest;
  }

  #window(quotaRequest: QuotaRequest, now: number): SlidingWindow {
    const span = quotaRequest.seconds * 1000;
    let window = this.#windows.get(quotaRequest.policy);
    if (window) window.span = span;
    else {
      window = { span, log: new SlidingWindow() };
      this.#windows.set(quotaRequest.policy, window);
    }
    window.log.prune(now, span);
    return window.log;
  }

  #quota(quotaRequest: QuotaRequest, now: number): Calendar {
    const known = this.#quotas.get(quotaRequest.policy);
    if (known && now < known.end) return known;
    const { name, end } = periodOf(quotaRequest.per as 'day' | 'month', now);
    const quota = { period: name, end, used: 0 };
    this.#quotas.set(quotaRequest.policy, quota);
    return quota;
  }

  #freeAt(quotaRequest: QuotaRequest, now: number): number {
    if (quotaRequest.per === 'window') {
      return this.#window(quotaRequest, now).freeAt(
        quotaRequest.limit,
        quotaRequest.cost,
        quotaRequest.seconds * 1000,
      );
    }
    const quota = this.#quota(quotaRequest, now);
    // A cost of 0 means that the cost is not known yet. At least one unit must then be available.
    return quota.used + Math.max(quotaRequest.cost, 1) <= quotaRequest.limit ? 0 : quota.end;
  }

  #add(quotaRequest: QuotaRequest, now: number, cost: number): void {
    if (quotaRequest.per === 'window') this.#window(quotaRequest, now).add(now, cost);
    else this.#quota(quotaRequest, now).used += cost;
  }

  #remainingQuota(quotaRequest: QuotaRequest, now: number, allowed: boolean): RemainingQuota {
    const freeAt = this.#freeAt(quotaRequest, now);
    const refuses = !allowed && freeAt > now;
    if (quotaRequest.per === 'window') {
      const { times } = this.#window(quotaRequest, now);
      const unitAt = times.length > 0 ? times[0]! + quotaRequest.seconds * 1000 + 1 : now;
      return {
        remaining: Math.max(0, quotaRequest.limit - times.length),
        resetAt: refuses && Number.isFinite(freeAt) ? freeAt : unitAt,
        unitAt,
        refuses,
      };
    }
    const { used, end } = this.#quota(quotaRequest, now);
    return {
      remaining: Math.max(0, quotaRequest.limit - used),
      resetAt: end,
      unitAt: end,
      refuses,
    };
  }
}
