/** What one subject (an address, a key, an account) has used: its windows and its calendar quotas, in memory. */

import { periodOf } from '../core/calendar.ts';
import {
  type Ask,
  type LendingVerdict,
  LOAN_MS,
  type Loan,
  type LoanReturn,
  type Standing,
} from '../core/counters.ts';
import { SlidingWindow } from './sliding-window.ts';

/** A caller who has called so short a time ago is lent more. */
const IN_A_ROW_MS = 10_000;
/** Of what is left, one part in so many is lent at most. */
const LENT_PART = 2;
const MOST_LENT = 16;
/** After somebody had to wait for a loan nothing is lent for so long: the next in line would wait for that one. */
const SCARCE_MS = 3000;

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
  windows: [policy: string, span: number, times: number[], ...loans: Loan[]][];
  quotas: [policy: string, quota: Calendar][];
}

export class SubjectCounters {
  readonly #windows = new Map<string, Window>();
  readonly #quotas = new Map<string, Calendar>();
  #newest = 0;
  /** Until when nothing is lent. */
  #scarceUntil = 0;

  constructor(saved?: SavedCounters) {
    for (const [policy, span, times, ...loans] of saved?.windows ?? []) {
      this.#windows.set(policy, { span, log: new SlidingWindow(times, loans) });
      this.#newest = Math.max(this.#newest, times.at(-1) ?? 0);
    }
    for (const [policy, quota] of saved?.quotas ?? []) this.#quotas.set(policy, { ...quota });
  }

  /** Takes what every ask wants, or nothing where one of them refuses. */
  take(asks: readonly Ask[], clock: number): LendingVerdict {
    const now = this.#time(clock);
    const allowed = asks.every((ask) => this.#freeAt(ask, now) <= now);
    if (allowed) for (const ask of asks) this.#add(ask, now, ask.cost);
    const standings = asks.map((ask) => this.#standing(ask, now, allowed));
    const wait = allowed ? 0 : this.#loansMayReturn(asks, now);
    if (wait > 0) this.#scarceUntil = now + SCARCE_MS;
    return { allowed, at: now, standings, ...(wait > 0 && { wait }) };
  }

  /** Lends a caller of some calls in a row some more units of a window that has plenty left. */
  lend(ask: Ask, id: string, clock: number): Loan | undefined {
    const now = this.#time(clock);
    if (now < this.#scarceUntil) return undefined;
    const log = this.#window(ask, now);
    const isInARow = now - (log.times.at(-2) ?? 0) < IN_A_ROW_MS;
    if (log.loanDue(now) !== undefined || !isInARow) return undefined;
    const left = ask.limit - log.taken(now).length;
    const units = Math.min(MOST_LENT, Math.floor(left / LENT_PART));
    if (units < 2) return undefined;
    const loan = { id, units, until: now + LOAN_MS };
    log.loans.push(loan);
    return loan;
  }

  takeBack({ policy, seconds, id, used, again }: LoanReturn, clock: number): void {
    const now = this.#time(clock);
    // Times from elsewhere may be some milliseconds late, but nothing was used after it was told here.
    const times = used.map((at) => Math.min(at, now));
    this.#window({ policy, seconds }, now).takeBack(id, times, again);
  }

  /** Gives back what `take` took at the time `at`. */
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
      const { newest } = log;
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
      windows: [...this.#windows].map(([policy, { span, log }]) => [
        policy,
        span,
        log.times,
        ...log.loans,
      ]),
      quotas: [...this.#quotas],
    };
  }

  /** A clock that was set back stands still until it has caught up: else the log would not be in order. */
  #time(clock: number): number {
    this.#newest = Math.max(this.#newest, clock);
    return this.#newest;
  }

  #window(ask: Pick<Ask, 'policy' | 'seconds'>, now: number): SlidingWindow {
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

  /** How long what was refused may still pass because loans come back; 0 where it cannot. */
  #loansMayReturn(asks: readonly Ask[], now: number): number {
    let wait = 0;
    for (const ask of asks) {
      if (this.#freeAt(ask, now) <= now) continue;
      const log = ask.per === 'window' ? this.#window(ask, now) : undefined;
      const due = log?.loanDue(now);
      if (!due || log!.freeWithoutLoanAt(now, ask.limit, ask.cost, ask.seconds * 1000) > now)
        return 0;
      wait = Math.max(wait, due - now);
    }
    return wait;
  }

  #add(ask: Ask, now: number, cost: number): void {
    if (ask.per === 'window') this.#window(ask, now).add(now, cost);
    else this.#quota(ask, now).used += cost;
  }

  #standing(ask: Ask, now: number, allowed: boolean): Standing {
    const freeAt = this.#freeAt(ask, now);
    const refuses = !allowed && freeAt > now;
    if (ask.per === 'window') {
      // What is on loan counts as left, until it is clear that it does not come back.
      const taken = this.#window(ask, now).taken(now);
      const returns = taken.length > 0 ? taken[0]! + ask.seconds * 1000 + 1 : now;
      return {
        remaining: Math.max(0, ask.limit - taken.length),
        resetAt: refuses && Number.isFinite(freeAt) ? freeAt : returns,
        refuses,
      };
    }
    const quota = this.#quota(ask, now);
    return { remaining: Math.max(0, ask.limit - quota.used), resetAt: quota.end, refuses };
  }
}
