/** API keys as they are kept: what a key record holds, and what its store can do. Times are ms since the epoch. */

export type KeyKind = 'trial' | 'persistent';

export interface KeyRecord {
  id: string;
  /** Null for a trial key, which belongs to nobody. */
  accountId: string | null;
  kind: KeyKind;
  name: string;
  /** First 8 and last 4 characters, for people. */
  display: string;
  requestsPerDay: number;
  tokensPerMonth: number;
  createdAt: number;
  rotatedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
  /** To the minute or so: writes are gathered. */
  lastUsedAt: number | null;
  /** The text before the last rotation, and how long it is still good. */
  previous: { display: string; expiresAt: number } | null;
}

/** A key found by the hash of its text; `outdated` where that is the text before the last rotation. */
export type FoundKey = KeyRecord & { outdated: boolean };

export interface NewKey {
  id: string;
  hash: string;
  display: string;
  accountId: string | null;
  kind: KeyKind;
  name: string;
  requestsPerDay: number;
  tokensPerMonth: number;
  expiresAt: number | null;
}

export interface KeyStore {
  /** The key with this text's SHA-256 (hexadecimal), also a revoked or expired one. */
  find(hash: string): Promise<FoundKey | null>;
  get(id: string): Promise<KeyRecord | null>;
  /** An account's keys, the newest first. */
  list(accountId: string): Promise<KeyRecord[]>;
  /** False where the account has `atMost` keys that still work, or is gone. */
  create(key: NewKey, now: number, atMost: number): Promise<boolean>;
  /** Ends a key of this account at once, with the text before its rotation. False where it has none that works. */
  revoke(id: string, accountId: string, now: number): Promise<boolean>;
  /**
   * Gives a key a new text; the old one is good until `overlapEnds`. False as with `revoke`, and where an overlap
   * still runs, or the key was last rotated at another time than `rotatedAt`: somebody else was faster.
   */
  rotate(
    key: { id: string; accountId: string; rotatedAt: number | null },
    text: { hash: string; display: string },
    now: number,
    overlapEnds: number,
  ): Promise<boolean>;
  /** Ends the text before the last rotation at once. False where none works. */
  endOverlap(id: string, accountId: string, now: number): Promise<boolean>;
  /** Notes that these keys were used; call it in batches. */
  touchLastUsed(ids: readonly string[], now: number): Promise<void>;
  /** Forgets keys that ended before `endedBefore`; gives their number. */
  cleanUp(endedBefore: number): Promise<number>;
}
