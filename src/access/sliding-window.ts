/** A sliding window: the times of the calls of one policy, exact to the millisecond, and what of it is on loan. */
import type { Loan } from '../core/counters.ts';

export class SlidingWindow {
  /** When each counted unit was taken, oldest first; milliseconds since the epoch. */
  readonly times: number[];
  /** Counts as taken at its end until it is returned: no use of it can be later. */
  #loan: Loan | undefined;

  constructor(times: number[] = [], loan?: Loan) {
    this.times = times;
    this.#loan = loan;
  }

  get loan(): Loan | undefined {
    return this.#loan;
  }

  /** When the last unit counts, also one on loan; undefined where there is none. */
  get newest(): number | undefined {
    return this.#loan?.until ?? this.times.at(-1);
  }

  /** Forgets what no span of `span` milliseconds that ends now can hold. Both ends belong to a span. */
  prune(now: number, span: number): void {
    let gone = 0;
    while (gone < this.times.length && now - this.times[gone]! > span) gone += 1;
    if (gone > 0) this.times.splice(0, gone);
    if (this.#loan && now - this.#loan.until > span) this.#loan = undefined;
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

  lend(loan: Loan): void {
    this.#loan = loan;
  }

  /** Counts what was used of a loan, each at its time, in place of the loan. */
  takeBack(until: number, used: readonly number[]): void {
    if (this.#loan?.until === until) this.#loan = undefined;
    this.times.push(...used);
    this.times.sort((one, other) => one - other);
  }

  /** When the first of `limit` units is free again for `cost` more: the first moment at which they pass. */
  freeAt(limit: number, cost: number, span: number): number {
    const taken = this.#loan ? this.#withLoan(this.#loan) : this.times;
    return freeAt(taken, limit, cost, span);
  }

  /** The same, if nothing of the loan is used. */
  freeWithoutLoanAt(limit: number, cost: number, span: number): number {
    return freeAt(this.times, limit, cost, span);
  }

  #withLoan({ units, until }: Loan): number[] {
    const later = this.times.findIndex((time) => time > until);
    const at = later < 0 ? this.times.length : later;
    return this.times.toSpliced(at, 0, ...Array<number>(units).fill(until));
  }
}

function freeAt(taken: readonly number[], limit: number, cost: number, span: number): number {
  const tooMany = taken.length + cost - limit;
  if (tooMany <= 0) return 0;
  if (cost > limit) return Number.POSITIVE_INFINITY;
  return taken[tooMany - 1]! + span + 1;
}
