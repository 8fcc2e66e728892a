/** The units that this isolate has on loan, to be given out without asking their counters (ADR 7). Nothing is awaited. */
import { type Ask, LOAN_MS, type Loan, type LoanReturn, type Verdict } from '../core/counters.ts';

interface Held extends Loan {
  policy: string;
  seconds: number;
  /** When it was asked for, by this isolate's clock: no later than when it began. */
  askedAt: number;
  /** What was left when it began, all of it included, and when more is free. */
  remaining: number;
  resetAt: number;
  used: number[];
  /** It was sent back before, and no answer came. */
  again: boolean;
}

export class Loans {
  readonly #held = new Map<string, Held[]>();

  hold(
    subject: string,
    { policy, seconds }: Ask,
    loan: Loan,
    { standings }: Verdict,
    askedAt: number,
  ): void {
    const { remaining, resetAt } = standings[0]!;
    const held = this.#held.get(subject) ?? [];
    held.push({ ...loan, policy, seconds, askedAt, remaining, resetAt, used: [], again: false });
    this.#held.set(subject, held);
  }

  /** Takes a unit of what is on loan; undefined where there is none. */
  take(subject: string, { policy }: Ask, now: number): Verdict | undefined {
    const held = this.#held
      .get(subject)
      ?.find((loan) => loan.policy === policy && loan.used.length < loan.units);
    if (!held) return undefined;
    const age = now - held.askedAt;
    if (age < 0 || age >= LOAN_MS) return undefined;
    // Its beginning and its age were measured from moments of which the second is no later: never too early.
    const at = Math.max(held.until - LOAN_MS + age, held.used.at(-1) ?? 0);
    held.used.push(at);
    const remaining = held.remaining - held.used.length;
    return { allowed: true, at, standings: [{ remaining, resetAt: held.resetAt, refuses: false }] };
  }

  /** Takes a unit back that was given out of a loan at this time; false where it was none of a loan that is still held. */
  release(subject: string, { policy }: Ask, at: number): boolean {
    const held = this.#held.get(subject)?.find((loan) => loan.policy === policy && !loan.again);
    const index = held?.used.lastIndexOf(at) ?? -1;
    if (index >= 0) held!.used.splice(index, 1);
    return index >= 0;
  }

  /** What had no answer when it was returned is to be returned again. Nothing more of it is given out. */
  keep(subject: string, returns: readonly LoanReturn[]): void {
    const ended = returns.map((loan) => ({
      ...loan,
      ...{ again: true, units: loan.used.length, until: 0, askedAt: 0, remaining: 0, resetAt: 0 },
    }));
    if (ended.length > 0) this.#held.set(subject, [...ended, ...(this.#held.get(subject) ?? [])]);
  }

  /** Lets go of what is on loan of this subject: its counters must hear what is given here. */
  giveBack(subject: string): LoanReturn[] {
    const held = this.#held.get(subject);
    if (!held) return [];
    this.#held.delete(subject);
    return held.map(({ policy, seconds, id, used, again }) => ({
      policy,
      seconds,
      id,
      used,
      again,
    }));
  }

  /** The subjects with a loan that has ended. */
  over(now: number): string[] {
    return this.subjects.filter((subject) => this.isOver(subject, now));
  }

  /** Whether a loan of this subject has ended. */
  isOver(subject: string, now: number): boolean {
    const held = this.#held.get(subject) ?? [];
    return held.some(({ askedAt }) => now - askedAt >= LOAN_MS || now < askedAt);
  }

  /** Whether something of this subject was returned without an answer. */
  isUnanswered(subject: string): boolean {
    return this.#held.get(subject)?.some(({ again }) => again) ?? false;
  }

  /** Of how many subjects something is on loan. */
  get size(): number {
    return this.#held.size;
  }

  get subjects(): string[] {
    return [...this.#held.keys()];
  }
}
