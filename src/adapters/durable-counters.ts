/** The counters as Durable Objects: one for each subject, which lends callers of many calls some units in advance. */
import { waitUntil } from 'cloudflare:workers';
import {
  type Ask,
  type Counters,
  type LendingVerdict,
  LOAN_MS,
  type LoanReturn,
  RETURNS_BEHIND_MS,
  type Standing,
  type Verdict,
} from '../core/counters.ts';
import { logCause } from '../lib/log-cause.ts';
import { Loans } from './loans.ts';

/** Between two questions whether units on loan elsewhere have come back. */
const PAUSE_MS = 250;
/** Loans of so long a time are returned together, by one request's afterlife. */
const SWEEP_MS = 500;
/** So many at a time. */
const LANES = 16;
/** A request may call no more than 1,000 objects. */
const MOST_RETURNED = 900;
/** Subjects with a loan at a time, in one isolate. */
const MOST_HELD = 10_000;

type Subject = ReturnType<Cloudflare.Env['LIMITS']['getByName']>;

export class DurableCounters implements Counters {
  readonly #namespace: Cloudflare.Env['LIMITS'];
  readonly #loans = new Loans();
  #lastSweep = 0;
  /** Subjects to which something was returned that may not be written yet, and when. */
  readonly #returned = new Map<string, number>();

  constructor(namespace: Cloudflare.Env['LIMITS']) {
    this.#namespace = namespace;
  }

  async take(subject: string, asks: readonly Ask[], isAll = true): Promise<Verdict> {
    const sole = isAll && asks.length === 1 && mayBeLent(asks[0]!) ? asks[0] : undefined;
    for (;;) {
      const given = sole && this.#loans.take(subject, sole, Date.now());
      if (given) return given;
      const asked = this.#ask(subject, asks, sole);
      // Also when its caller goes away: what is lent must be held.
      if (sole) waitUntil(asked.catch(() => {}));
      const verdict = await asked;
      if (verdict.wait === undefined) return verdict;
      await scheduler.wait(Math.min(PAUSE_MS, verdict.wait));
    }
  }

  async release(subject: string, asks: readonly Ask[], at: number): Promise<Standing[]> {
    const isOnLoan = asks.length === 1 && this.#loans.release(subject, asks[0]!, at);
    if (isOnLoan) return this.standings(subject, asks);
    return this.#calling(subject, (counters, returns) => counters.release(asks, at, returns));
  }

  async charge(subject: string, ask: Ask): Promise<void> {
    await this.#of(subject).charge(ask);
  }

  async standings(subject: string, asks: readonly Ask[]): Promise<Standing[]> {
    return this.#calling(subject, (counters, returns) => counters.standings(asks, returns));
  }

  /** Returns what is on loan of 900 subjects, and has it written: this isolate may end. Never throws. */
  async flush(): Promise<void> {
    const subjects = [...new Set([...this.#loans.subjects, ...this.#returned.keys()])];
    const settled = subjects.slice(0, MOST_RETURNED).map(async (subject) => {
      await this.#settle(subject, (counters, returns) => counters.settleAtOnce(returns));
      this.#returned.delete(subject);
    });
    await Promise.all(settled);
  }

  async #ask(
    subject: string,
    asks: readonly Ask[],
    sole: Ask | undefined,
  ): Promise<LendingVerdict> {
    const askedAt = Date.now();
    const mayLend = this.#loans.size < MOST_HELD && !this.#loans.isUnanswered(subject);
    const loanId = sole && mayLend ? crypto.randomUUID() : undefined;
    const verdict = await this.#calling(
      subject,
      (counters, returns) => counters.take(asks, returns, loanId),
      loanId ? [{ ...nameOf(sole!), id: loanId, used: [], again: true }] : [],
    );
    if (sole && verdict.loan) {
      this.#loans.hold(subject, sole, verdict.loan, verdict, askedAt);
      this.#sweepLater(askedAt);
    }
    return verdict;
  }

  /** For a call: what it could not return is returned in its afterlife. */
  async #calling<Answer>(
    subject: string,
    ask: (counters: Subject, returns: LoanReturn[]) => Promise<Answer>,
    lent?: readonly LoanReturn[],
  ): Promise<Answer> {
    try {
      return await this.#returning(subject, ask, lent);
    } catch (error) {
      this.#sweepLater(Date.now());
      throw error;
    }
  }

  /**
   * Asks the counters of a subject, and returns what is on loan of it with that. Without an answer it may have been heard
   * or not: all is returned again, also what it may have lent.
   */
  async #returning<Answer>(
    subject: string,
    ask: (counters: Subject, returns: LoanReturn[]) => Promise<Answer>,
    lent: readonly LoanReturn[] = [],
  ): Promise<Answer> {
    const returns = this.#loans.giveBack(subject);
    if (returns.length > 0) this.#returned.set(subject, Date.now());
    try {
      return await ask(this.#of(subject), returns);
    } catch (error) {
      this.#loans.keep(subject, [...returns, ...lent]);
      throw error;
    }
  }

  /** The same, with nothing to ask. Never throws. */
  async #settle(
    subject: string,
    settle: (counters: Subject, returns: LoanReturn[]) => Promise<void>,
  ): Promise<void> {
    try {
      await this.#returning(subject, settle);
    } catch (cause) {
      logCause('loan', cause);
    }
  }

  /** Loans are returned soon after their end, unless a later call has done so. */
  #sweepLater(now: number): void {
    const since = now - this.#lastSweep;
    if (since >= 0 && since < SWEEP_MS) return;
    this.#lastSweep = now;
    waitUntil(this.#sweep());
  }

  /** Until all that is over then is back, or one request may return no more: then the next one that is lent something goes on. */
  async #sweep(): Promise<void> {
    let may = MOST_RETURNED;
    let over: string[];
    do {
      await scheduler.wait(LOAN_MS + SWEEP_MS);
      const now = Date.now();
      for (const [subject, at] of this.#returned) {
        if (now - at > RETURNS_BEHIND_MS) this.#returned.delete(subject);
      }
      over = this.#loans.over(now).slice(0, may);
      may -= over.length;
      await this.#settleAll(over);
    } while (may > 0 && over.some((subject) => this.#loans.isOver(subject, Date.now())));
  }

  /** Some at a time: calls that wait are not held up, nor those elsewhere that wait for a loan. */
  async #settleAll(subjects: readonly string[]): Promise<void> {
    const waiting = subjects.values();
    const lane = async () => {
      for (const subject of waiting) {
        if (!this.#loans.isOver(subject, Date.now())) continue;
        await this.#settle(subject, (counters, returns) => counters.settle(returns));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  #of(subject: string): Subject {
    return this.#namespace.getByName(subject);
  }
}

const nameOf = ({ policy, seconds }: Ask) => ({ policy, seconds });

const mayBeLent = ({ per, cost }: Ask) => per === 'window' && cost === 1;
