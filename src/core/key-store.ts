/** The store of API keys. Times are milliseconds since the epoch. */

export type KeyKind = 'trial' | 'persistent';

export interface KeyRecord {
  id: string;
  /** Null for a trial key, which has no account. */
  accountId: string | null;
  kind: KeyKind;
  name: string;
  /** The first 8 and last 4 characters, for display. */
  display: string;
  requestsPerDay: number;
  tokensPerMonth: number;
  /** Bytes that the key may store per day. */
  bytesPerDay: number;
  createdAt: number;
  rotatedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
  /** May be up to an hour out of date if calls are counted, because writes are batched. */
  lastUsedAt: number | null;
  /** The secret before the last rotation, and when it expires. */
  previous: { display: string; expiresAt: number } | null;
}

/** Returns a text that changes with every field that affects the key's calls. */
export const versionOf = (key: KeyRecord): string =>
  JSON.stringify([
    ...[key.rotatedAt, key.revokedAt, key.expiresAt, key.previous?.expiresAt],
    ...[key.requestsPerDay, key.tokensPerMonth, key.bytesPerDay],
  ]);

/** A key found by its hash; `outdated` if the hash is of the secret before the last rotation. */
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
  /** Bytes that the key may store per day. */
  bytesPerDay: number;
  expiresAt: number | null;
}

/** The limits on an account's active keys and on keys created in 24 hours. */
export interface KeyBounds {
  working: number;
  inADay: number;
}

/** The result of creating a key; `againAt` is when the account may create the next one. */
export type Creation =
  | 'made'
  | 'made-before'
  | 'too-many-working'
  | 'account-gone'
  | { againAt: number };

export interface KeyLookUp {
  /** Finds a key as KeyStore.find does. Unless `isFresh` is set, the record may be an hour old. */
  find(hash: string, isFresh?: boolean): Promise<FoundKey | null>;
}

export interface KeyStore {
  /** Finds a key, active or not, by the SHA-256 of its secret (hexadecimal). */
  find(hash: string): Promise<FoundKey | null>;
  get(id: string): Promise<KeyRecord | null>;
  /** Lists an account's keys, newest first. */
  list(accountId: string): Promise<KeyRecord[]>;
  /** Creates a key, unless its id exists or the account's limits are reached. */
  create(key: NewKey, now: number, bounds: KeyBounds): Promise<Creation>;
  /**
   * Revokes a key at once, including the secret before its rotation. Returns false if the account
   * has no such active key.
   */
  revoke(id: string, accountId: string, now: number): Promise<boolean>;
  /**
   * Gives a key a new secret; the old one expires at `overlapEnds`. False if the account has no such active key, if an
   * earlier overlap still runs, or if the key was not last rotated at `rotatedAt`: another request was faster.
   */
  rotate(
    key: { id: string; accountId: string; rotatedAt: number | null },
    text: { hash: string; display: string },
    now: number,
    overlapEnds: number,
  ): Promise<boolean>;
  /**
   * Expires the secret before the last rotation at once. Returns false if the key was never rotated
   * or that secret has expired.
   */
  endOverlap(id: string, accountId: string, now: number): Promise<boolean>;
  /** Records that these keys were used. Call it in batches. */
  touchLastUsed(ids: readonly string[], now: number): Promise<void>;
  /** Deletes keys that expired or were revoked before `endedBefore`; returns how many. */
  cleanUp(endedBefore: number): Promise<number>;
}
