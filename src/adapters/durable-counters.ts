/** The counters as Durable Objects: one for each subject, which lends callers of many calls some units in advance. */
import { waitUntil } from 'cloudflare:workers';
import {
  type Ask,
  type Counters,
  LOAN_MS,
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
/** A request may call no more than 1,000 objects. Of what is not returned all counts as used. */
const MOST_RETURNED = 900;

export class DurableCounters implements Counters {
  readonly #namespace: Cloudflare.Env['LIMITS'];
  readonly #loans = new Loans();
  #lastSweep = 0;
  /** Subjects to which something was returned that may not be written yet, and when. */
  readonly #returned = new Map<string, number>();

  constructor(namespace: Cloudflare.Env['LIMITS']) {
    this.#namespace = namespace;
  }

  async take(subject: string, asks: readonly Ask[]): Promise<Verdict> {
    const sole = asks.length === 1 && mayBeLent(asks[0]!) ? asks[0] : undefined;
    for (;;) {
      const now = Date.now();
      const given = sole && this.#loans.take(subject, sole, now);
      if (given) return given;
      const returns = this.#loans.giveBack(subject);
      const verdict = await this.#of(subject).take(asks, returns, sole !== undefined);
      if (sole && verdict.loan) {
        this.#loans.hold(subject, sole, verdict.loan, verdict, now);
        this.#sweepLater(now);
      }
      if (verdict.wait === undefined) return verdict;
      await scheduler.wait(Math.min(PAUSE_MS, verdict.wait));
    }
  }

  async release(subject: string, asks: readonly Ask[], at: number): Promise<Standing[]> {
    const isOnLoan = asks.length === 1 && this.#loans.release(subject, asks[0]!, at);
    const returns = this.#loans.giveBack(subject);
    if (isOnLoan) return this.#of(subject).standings(asks, returns);
    return this.#of(subject).release(asks, at, returns);
  }

  async charge(subject: string, ask: Ask): Promise<void> {
    await this.#of(subject).charge(ask);
  }

  async standings(subject: string, asks: readonly Ask[]): Promise<Standing[]> {
    return this.#of(subject).standings(asks, this.#loans.giveBack(subject));
  }

  /** Returns all that is on loan, and has it written: this isolate ends. */
  async flush(): Promise<void> {
    const subjects = new Set([...this.#loans.subjects, ...this.#returned.keys()]);
    this.#returned.clear();
    const settled = [...subjects].map((subject) =>
      this.#of(subject).settleAtOnce(this.#loans.giveBack(subject)),
    );
    await Promise.all(settled);
  }

  /** Loans are returned soon after their end, unless a later call has done so. */
  #sweepLater(now: number): void {
    const since = now - this.#lastSweep;
    if (since >= 0 && since < SWEEP_MS) return;
    this.#lastSweep = now;
    const sweep = async () => {
      await scheduler.wait(LOAN_MS + SWEEP_MS);
      const over = Date.now();
      for (const [subject, at] of this.#returned) {
        if (over - at > RETURNS_BEHIND_MS) this.#returned.delete(subject);
      }
      await this.#return(this.#loans.over(over).slice(0, MOST_RETURNED));
    };
    waitUntil(sweep());
  }

  /** One after the other: calls that wait are not held up. */
  async #return(subjects: readonly string[]): Promise<void> {
    for (const subject of subjects) {
      const returns = this.#loans.giveBack(subject);
      if (returns.length === 0) continue;
      try {
        await this.#of(subject).settle(returns);
        this.#returned.set(subject, Date.now());
      } catch (cause) {
        logCause('loan', cause);
      }
    }
  }

  #of(subject: string) {
    return this.#namespace.getByName(subject);
  }
}

const mayBeLent = ({ per, cost }: Ask) => per === 'window' && cost === 1;
