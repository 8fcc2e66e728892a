/** Requests to the rate-limit counters of a subject, and their answers. Plain data that is sent to a Durable Object. */
import type { UsageEntry, Use } from './usage-store.ts';

export interface QuotaRequest {
  /** Unique within the subject; shown in `RateLimit-Policy`. */
  policy: string;
  limit: number;
  /** A sliding window of `seconds`, or a calendar quota in UTC. */
  per: 'window' | 'day' | 'month';
  /** The length of the window; for a quota, the nominal length of its period. */
  seconds: number;
  /** Units to take; 0 only checks whether any are left. */
  cost: number;
}

export interface RemainingQuota {
  remaining: number;
  /** When more units become free or, if the request was refused, when it fits. Milliseconds since the epoch. */
  resetAt: number;
  /** When the next unit becomes free, if none is left. Milliseconds since the epoch. */
  unitAt: number;
  /** Whether this limit refused the request. */
  refuses: boolean;
}

/** The key of a call, with the version of its record (`versionOf`) that the isolate knows. */
export interface KeyClaim {
  id: string;
  version: string;
}

export interface Verdict {
  allowed: boolean;
  /** Set if nothing was taken because the claimed version is not the current one. */
  keyChanged?: true;
  /** The time at which the units are counted, which `release` needs. Milliseconds since the epoch. */
  at: number;
  /** One for each quota request, in the same order. */
  remainingQuotas: RemainingQuota[];
}

/** The counters of one subject. */
export interface Counters {
  /** Takes all requested units and records the uses, or does neither. */
  take(
    quotaRequests: readonly QuotaRequest[],
    uses?: readonly Use[],
    key?: KeyClaim,
  ): Promise<Verdict>;
  /**
   * Must be called after the subject's key was changed in the database. The next call reads the new
   * version.
   */
  forgetKey(): Promise<void>;
  /** Returns the units and the uses that were taken at `at`. */
  release(quotaRequests: readonly QuotaRequest[], at: number, uses?: readonly Use[]): Promise<void>;
  /** Adds units after the fact, even beyond the limit, and records the use. */
  charge(quotaRequest: QuotaRequest, use?: Use): Promise<void>;
  /** Reads the remaining quotas without taking units. */
  remainingQuotas(quotaRequests: readonly QuotaRequest[]): Promise<RemainingQuota[]>;
  /** Recorded uses that are not in the database yet; `at` is the latest of each entry. */
  pendingUsage(): Promise<UsageEntry[]>;
}

/** Returns the counters of the subject with this name. */
export type CountersOf = (subject: string) => Counters;
