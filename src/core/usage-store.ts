/** What callers used: written in batches, read by the owner of the key or the account. Times are ms since the epoch. */

/** One call by somebody who is known. Anonymous calls are not attributed. */
export interface UsageEntry {
  at: number;
  /** Null for a call from a browser session. */
  keyId: string | null;
  /** Null for a trial key. */
  accountId: string | null;
  /** The tool, or the surface where there is none: `search`, `content`, … */
  tool: string;
  /** 0 for what is told later of a call that was noted already; else 1. */
  calls?: number;
  /** Model tokens that the call used. */
  tokens?: number;
  /** Set where the call was refused (a limit, a quota, a right): then it counts as refused, not as a call. */
  refused?: { status: number; code: string; message: string };
}

export interface UsageLog {
  /** Adds these; call it in batches, after the answers. */
  add(entries: readonly UsageEntry[]): Promise<void>;
}

/** A call to record; the recorder adds the time. */
export type Use = Omit<UsageEntry, 'at'>;

export interface UsageRecorder {
  /** Call it while a request of a known caller is being answered. */
  note(use: Use): void;
}

/** Whose usage: one key's, or all of an account's with its keys and sessions. */
export type UsageSubject = { keyId: string } | { accountId: string };

export interface DayUsage {
  /** 2026-11-21, in UTC. */
  day: string;
  tool: string;
  calls: number;
  refused: number;
  tokens: number;
}

/** What of a key's quotas is used up; `keyId` is null for calls from browser sessions. */
export interface Spent {
  keyId: string | null;
  /** Since 00:00 UTC. */
  requestsToday: number;
  /** Since the 1st, 00:00 UTC. */
  tokensThisMonth: number;
  /** Stored since 00:00 UTC; known where calls are counted only. */
  bytesToday?: number;
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
  /** Counts by day and tool from `firstDay` on, the oldest first. */
  days(subject: UsageSubject, firstDay: string): Promise<DayUsage[]>;
  /** What each key has used of its quotas at the time `now`. */
  spent(subject: UsageSubject, now: number): Promise<Spent[]>;
  /** The latest refused calls, the newest first. */
  refused(subject: UsageSubject, atMost: number): Promise<RefusedCall[]>;
  cleanUp(now: number): Promise<void>;
}
