/** A sliding window: the times of the calls of one policy, exact to the millisecond, and what of it is on loan. */
import type { Loan } from '../core/counters.ts';

/** How long after its end a loan is still waited for by who is refused because of it. */
const GRACE_MS = 1000;

export class SlidingWindow {
  /** When each counted unit was taken, oldest first; milliseconds since the epoch. */
  readonly times: number[];
  /** What has not come back, oldest first. Counts as taken at its end: no use of it can be later. */
  readonly loans: Loan[];

  constructor(times: number[] = [], loans: Loan[] = []) {
    this.times = times;
    this.loans = loans;
  }

  /** When the last unit counts, also one on loan; undefined where there is none. */
  get newest(): number | undefined {
    return this.#with(this.loans).at(-1);
  }

  /** Until when the last loan is waited for; undefined where it is back, or lost as those before it. */
  loanDue(now: number): number | undefined {
    const last = this.loans.at(-1);
    return last && last.until + GRACE_MS > now ? last.until + GRACE_MS : undefined;
  }

  /** When each unit was taken, oldest first; those of a loan that is waited for left out. */
  taken(now: number): readonly number[] {
    return this.#with(this.loanDue(now) === undefined ? this.loans : this.loans.slice(0, -1));
  }

  /** Forgets what no span of `span` milliseconds that ends now can hold. Both ends belong to a span. */
  prune(now: number, span: number): void {
    let gone = 0;
    while (gone < this.times.length && now - this.times[gone]! > span) gone += 1;
    if (gone > 0) this.times.splice(0, gone);
    while (this.loans.length > 0 && now - this.loans[0]!.until > span) this.loans.shift();
  }

  /** Counts `cost` units at `now`, which is never before the newest. */
  add(now: number, cost: number): void {
    for (let unit = 0; unit < cost; unit++) this.times.push(now);
  }

  /** Takes back `cost` units that were counted at `time`, where they are still counted. */
  remove(time: number, cost: number): void {
    const first = this.times.indexOf(time);
    if (first < 0) return;
    let same = 0;
    while (same < cost && this.times[first + same] === time) same += 1;
    this.times.splice(first, same);
  }

  /**
   * Counts what was used of a loan, each at its time, in place of the loan. One that is not known was forgotten with what
   * was not written, or has been taken back already: that only where it is returned `again`.
   */
  takeBack(id: string, used: readonly number[], again: boolean): void {
    const index = this.loans.findIndex((loan) => loan.id === id);
    if (index >= 0) this.loans.splice(index, 1);
    else if (again) return;
    this.times.push(...used);
    this.times.sort(ascending);
  }

  /** When the first of `limit` units is free again for `cost` more: the first moment at which they pass. */
  freeAt(limit: number, cost: number, span: number): number {
    return freeAt(this.#with(this.loans), limit, cost, span);
  }

  /** The same, if nothing is used of the loan that is waited for. */
  freeWithoutLoanAt(now: number, limit: number, cost: number, span: number): number {
    return freeAt(this.taken(now), limit, cost, span);
  }

  #with(loans: readonly Loan[]): readonly number[] {
    if (loans.length === 0) return this.times;
    const lent = loans.flatMap(({ units, until }) => Array<number>(units).fill(until));
    return [...this.times, ...lent].sort(ascending);
  }
}

const ascending = (one: number, other: number) => one - other;

function freeAt(taken: readonly number[], limit: number, cost: number, span: number): number {
  const tooMany = taken.length + cost - limit;
  if (tooMany <= 0) return 0;
  if (cost > limit) return Number.POSITIVE_INFINITY;
  return taken[tooMany - 1]! + span + 1;
}
