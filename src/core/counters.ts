/**
 * Defines requests to a subject's rate-limit counters, and their results. Both are plain data, because they are sent to
 * a Durable Object.
 */
import type { UsageEntry, Use } from './usage-store.ts';

export interface QuotaRequest {
  /** The name of the limit in `RateLimit-Policy`. It is unique within the subject. */
  policy: string;
  limit: number;
  /** A sliding window of `seconds`, or a calendar period in UTC for a quota. */
  per: 'window' | 'day' | 'month';
  /** The length of the window in seconds, or the nominal length of a quota's period. */
  seconds: number;
  /** The number of units to take. With 0, nothing is taken, and a quota refuses the request only if no unit is left. */
  cost: number;
}

export interface RemainingQuota {
  remaining: number;
  /**
   * The time at which more units become available, or at which a refused request would be allowed, in milliseconds
   * since the epoch.
   */
  resetAt: number;
  /** If no unit is left, the time at which the next unit becomes available, in milliseconds since the epoch. */
  unitAt: number;
  /** Whether this limit refused the request. */
  refuses: boolean;
}

/** The key of a call, and the version (`versionOf`) of the key's record that the isolate uses. */
export interface KeyClaim {
  id: string;
  version: string;
}

export interface Verdict {
  allowed: boolean;
  /** Set if nothing was taken because the claimed version is not current. */
  keyChanged?: true;
  /** The time at which the units were counted, in milliseconds since the epoch. Pass it to `release`. */
  at: number;
  /** The remaining quotas, in the order of the quota requests. */
  remainingQuotas: RemainingQuota[];
}

export interface Counters {
  /** Takes all requested units and records the uses. If a limit refuses the request, nothing is taken or recorded. */
  take(
    quotaRequests: readonly QuotaRequest[],
    uses?: readonly Use[],
    key?: KeyClaim,
  ): Promise<Verdict>;
  /**
   * Must be called after a change of the subject's key in the database, so that the next call reads the new version.
   */
  forgetKey(): Promise<void>;
  /** Releases the units and the uses that were taken at `at`. */
  release(quotaRequests: readonly QuotaRequest[], at: number, uses?: readonly Use[]): Promise<void>;
  /** Takes units after the call, even beyond the limit, and records the use. */
  charge(quotaRequest: QuotaRequest, use?: Use): Promise<void>;
  /** Reads the remaining quotas without taking units. */
  remainingQuotas(quotaRequests: readonly QuotaRequest[]): Promise<RemainingQuota[]>;
  /** Returns the recorded uses that are not in the database yet. `at` is the time of the latest use of each entry. */
  pendingUsage(): Promise<UsageEntry[]>;
}

/** Returns the counters of the subject with this name. */
export type CountersOf = (subject: string) => Counters;
