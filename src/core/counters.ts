/** What is asked of a subject's counters, and what they answer. Plain data: it travels to a Durable Object. */

export interface Ask {
  /** The policy's name, unique within the subject; shown in `RateLimit-Policy`. */
  policy: string;
  limit: number;
  /** A sliding window of `seconds`, or a calendar quota in UTC. */
  per: 'window' | 'day' | 'month';
  /** The window's length; of a quota the nominal length of its period. */
  seconds: number;
  /** Units; 0 asks only whether something is left. */
  cost: number;
}

export interface Standing {
  remaining: number;
  /** When more is free: for what was refused the first moment at which it passes; milliseconds since the epoch. */
  resetAt: number;
  /** Whether this is what refused. */
  refuses: boolean;
}

export interface Verdict {
  allowed: boolean;
  /** The time at which the units count; `release` wants it back. */
  at: number;
  /** One for each ask, in their order. */
  standings: Standing[];
}

/** How long units on loan may be used. */
export const LOAN_MS = 2000;

/** After how long what comes back from a loan is written at the latest: until then all of it counts as used in storage. */
export const RETURNS_BEHIND_MS = 4000;

/** Units that an isolate may give out by itself (ADR 7). A policy of a subject has at most one that is waited for; lost ones beside it count as used. */
export interface Loan {
  /** Given by who asks for it, who can so return it also without having heard of it. */
  id: string;
  units: number;
  /** When it is over, by the clock of the subject's counters. */
  until: number;
}

/** How a loan was used. */
export interface LoanReturn {
  policy: string;
  /** The length of the policy's window. */
  seconds: number;
  id: string;
  /** When each used unit was given out, oldest first, by the clock of the subject's counters. */
  used: number[];
  /** No answer came to it before: it may have been taken back already. */
  again: boolean;
}

/** A verdict with what stands between the counters of a subject and the isolates that ask them. */
export interface LendingVerdict extends Verdict {
  loan?: Loan;
  /** It was refused only because of units on loan: how many milliseconds these may still come back. */
  wait?: number;
}

/** The counters of all subjects, wherever they are. */
export interface Counters {
  /** Takes what every ask wants, or nothing. `isAll`, unless false: nothing of another subject is taken with it. */
  take(subject: string, asks: readonly Ask[], isAll?: boolean): Promise<Verdict>;
  /** Gives back what was taken at the time `at`, and tells what is left then. */
  release(subject: string, asks: readonly Ask[], at: number): Promise<Standing[]>;
  /** Counts what was used after the fact, also beyond the limit. */
  charge(subject: string, ask: Ask): Promise<void>;
  /** What is left, with nothing taken. */
  standings(subject: string, asks: readonly Ask[]): Promise<Standing[]>;
}
