/**
 * The store of callers' usage. It is written in batches, and the owner of the key or account reads it. Times are
 * milliseconds since the epoch.
 */

/** A recorded call, or the sum of several. An anonymous call has neither key nor account, so only counts are stored. */
export interface UsageEntry {
  at: number;
  /** The key's ID, or null for a call without a key. */
  keyId: string | null;
  /** The account's ID, or null for a trial key and an anonymous call. */
  accountId: string | null;
  /** The tool, or the general limit if no tool was called (`search`, `content`, …). */
  tool: string;
  /** The number of calls, by default 1. It is 0 for data that is added to an already recorded call. */
  calls?: number;
  /** The model tokens of the call. */
  tokens?: number;
  /** Set if admission refused the call, such as for a limit, a quota or a missing permission. */
  refused?: { status: number; code: string; message: string };
}

export interface UsageLog {
  /** Adds entries. Call it in batches, after the responses. */
  add(entries: readonly UsageEntry[]): Promise<void>;
}

/** A call to record. The recorder adds the time. */
export type Use = Omit<UsageEntry, 'at'>;

export interface UsageRecorder {
  /** Records a use. Must be called while the request is being handled. */
  note(use: Use): void;
}

/** The usage of one key, or of an account with all its keys and sessions. */
export type UsageSubject = { keyId: string } | { accountId: string };

export interface DayUsage {
  /** A UTC day, such as `2026-11-21`. */
  day: string;
  tool: string;
  calls: number;
  refused: number;
  tokens: number;
}

/** The used amounts of a key's quotas. `keyId` is null for calls from browser sessions. */
export interface Spent {
  keyId: string | null;
  /** The number of requests since 00:00 UTC. */
  requestsToday: number;
  /** The number of model tokens since 00:00 UTC on the first day of the month. */
  tokensThisMonth: number;
  /** The number of bytes stored since 00:00 UTC. Present only if the counters were read. */
  bytesToday?: number;
  /** The time of the latest call that is not in the database yet. Null if all calls are. */
  lastUsedAt?: number | null;
}

export interface RefusedCall {
  at: number;
  keyId: string | null;
  tool: string;
  status: number;
  code: string;
  message: string;
}

export interface UsageStore extends UsageLog {
  /** Returns counts by day and tool since `firstDay`, oldest first. */
  days(subject: UsageSubject, firstDay: string): Promise<DayUsage[]>;
  /** Returns the used quotas of each key at `now`. */
  spent(subject: UsageSubject, now: number): Promise<Spent[]>;
  /** Returns the latest refused calls, newest first. */
  refused(subject: UsageSubject, atMost: number): Promise<RefusedCall[]>;
  cleanUp(now: number): Promise<void>;
}
