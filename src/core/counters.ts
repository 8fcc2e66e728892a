/** What is asked of a subject's counters, and what they answer. Plain data: it travels to a Durable Object. */

export interface QuotaRequest {
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

export interface RemainingQuota {
  remaining: number;
  /** When more is free: for what was refused the first moment at which it passes; milliseconds since the epoch. */
  resetAt: number;
  /** The first moment at which a single unit is free, if none is now; milliseconds since the epoch. */
  unitAt: number;
  /** Whether this is what refused. */
  refuses: boolean;
}

export interface Verdict {
  allowed: boolean;
  /** The time at which the units count, which `release` needs; milliseconds since the epoch. */
  at: number;
  /** One for each ask, in their order. */
  remainingQuotas: RemainingQuota[];
}

/** The counters of all subjects, wherever they are. */
export interface Counters {
  /** Takes what every ask wants, or nothing. */
  take(subject: string, quotaRequests: readonly QuotaRequest[]): Promise<Verdict>;
  /** Returns the units that were taken at the time `at`. */
  release(subject: string, quotaRequests: readonly QuotaRequest[], at: number): Promise<void>;
  /** Counts what was used after the fact, also beyond the limit. */
  charge(subject: string, quotaRequest: QuotaRequest): Promise<void>;
  /** What is left, with nothing taken. */
  remainingQuotas(
    subject: string,
    quotaRequests: readonly QuotaRequest[],
  ): Promise<RemainingQuota[]>;
}
