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
  /** Bytes that it may store in a day. */
  bytesPerDay: number;
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
  /** Bytes that it may store in a day. */
  bytesPerDay: number;
  expiresAt: number | null;
}

/** How many keys an account may have that work, and how many it may make in 24 hours. */
export interface KeyBounds {
  working: number;
  inADay: number;
}

/** What came of making a key; `againAt` is when the account may make the next one. */
export type Creation =
  | 'made'
  | 'made-before'
  | 'too-many-working'
  | 'account-gone'
  | { againAt: number };

export interface KeyStore {
  /** The key with this text's SHA-256 (hexadecimal), also a revoked or expired one. */
  find(hash: string): Promise<FoundKey | null>;
  get(id: string): Promise<KeyRecord | null>;
  /** An account's keys, the newest first. */
  list(accountId: string): Promise<KeyRecord[]>;
  /** Makes a key, unless one has its id or an account's bounds are reached. */
  create(key: NewKey, now: number, bounds: KeyBounds): Promise<Creation>;
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
