/** The Durable Object that counts for one subject: in memory at once; in storage within a second, or four what comes back of a loan. */
import { DurableObject } from 'cloudflare:workers';
import {
  type Ask,
  type LendingVerdict,
  type LoanReturn,
  RETURNS_BEHIND_MS,
  type Standing,
} from '../core/counters.ts';
import { type SavedCounters, SubjectCounters } from './subject-counters.ts';

const KEY = 'counters';
/** A durable write in every call would cost two thirds of the rate. */
const WRITE_BEHIND_MS = 1000;

export class RateLimiter extends DurableObject<Cloudflare.Env> {
  readonly #counters: SubjectCounters;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When what was counted must be written. */
  #writeDue = Number.POSITIVE_INFINITY;
  /** When the alarm is set for, as far as this instance knows. */
  #alarm: number | null = null;

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env);
    this.#counters = new SubjectCounters(context.storage.kv.get<SavedCounters>(KEY));
  }

  /**
   * Nothing is awaited in here: calls at the same moment cannot pass together. `loanId` where the only ask is of a
   * window, and more may be lent under that name.
   */
  take(asks: readonly Ask[], returns: readonly LoanReturn[] = [], loanId?: string): LendingVerdict {
    this.#takeBack(returns);
    const verdict = this.#counters.take(asks, Date.now());
    if (!verdict.allowed) return verdict;
    this.#writeWithin(WRITE_BEHIND_MS);
    const loan = loanId ? this.#counters.lend(asks[0]!, loanId, Date.now()) : undefined;
    return loan ? { ...verdict, loan } : verdict;
  }

  /** How loans were used, once they are over. */
  settle(returns: readonly LoanReturn[]): void {
    this.#takeBack(returns);
  }

  /** The same, written at once: the isolate that tells it ends. */
  settleAtOnce(returns: readonly LoanReturn[]): void {
    this.#takeBack(returns);
    this.#write();
  }

  release(asks: readonly Ask[], at: number, returns: readonly LoanReturn[] = []): Standing[] {
    this.#takeBack(returns);
    this.#counters.release(asks, at);
    this.#writeWithin(WRITE_BEHIND_MS);
    return this.#counters.standings(asks, Date.now());
  }

  charge(ask: Ask): void {
    this.#counters.charge(ask, Date.now());
    this.#writeWithin(WRITE_BEHIND_MS);
  }

  standings(asks: readonly Ask[], returns: readonly LoanReturn[] = []): Standing[] {
    this.#takeBack(returns);
    return this.#counters.standings(asks, Date.now());
  }

  /** Everything that was counted when it was set is over: what is left is written anew, or nothing is kept. */
  override alarm(): void {
    this.#alarm = null;
    this.#write();
  }

  #takeBack(returns: readonly LoanReturn[]): void {
    if (returns.length === 0) return;
    for (const loan of returns) this.#counters.takeBack(loan, Date.now());
    this.#writeWithin(RETURNS_BEHIND_MS);
  }

  /** Not all at the same moment: many objects share a disk. */
  #writeWithin(milliseconds: number): void {
    const due = Date.now() + milliseconds;
    if (this.#writeDue <= due) return;
    this.#writeDue = due;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), milliseconds * (0.5 + Math.random() / 2));
  }

  /** Nothing is awaited between the two writes, so that they are one. */
  #write(): void {
    const { storage } = this.ctx;
    clearTimeout(this.#timer);
    this.#writeDue = Number.POSITIVE_INFINITY;
    const end = this.#counters.prune(Date.now());
    if (end === null) {
      void storage.deleteAll();
      this.#alarm = null;
      return;
    }
    storage.kv.put(KEY, this.#counters.save());
    if (this.#alarm === null) {
      this.#alarm = end;
      void storage.setAlarm(end);
    }
  }
}
