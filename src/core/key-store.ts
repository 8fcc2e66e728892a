/** The store of API keys. Times are milliseconds since the epoch. */

export type KeyKind = 'trial' | 'persistent';

export interface KeyRecord {
  id: string;
  /** The ID of the account. Null for a trial key, which has no account. */
  accountId: string | null;
  kind: KeyKind;
  name: string;
  /** The first 8 and the last 4 characters of the secret, for display. */
  display: string;
  requestsPerDay: number;
  tokensPerMonth: number;
  /** The number of bytes that the key may store per day. */
  bytesPerDay: number;
  createdAt: number;
  rotatedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
  /**
   * The time of the last use. If calls are counted, it may be up to an hour out of date, because writes are batched.
   */
  lastUsedAt: number | null;
  /** The secret before the last rotation, and the time at which it expires. */
  previous: { display: string; expiresAt: number } | null;
}

/** Returns a string that changes whenever a field that affects the key's calls changes. */
export const versionOf = (key: KeyRecord): string =>
  JSON.stringify([
    ...[key.rotatedAt, key.revokedAt, key.expiresAt, key.previous?.expiresAt],
    ...[key.requestsPerDay, key.tokensPerMonth, key.bytesPerDay],
  ]);

/** A key that was found by its hash. `outdated` is set if the hash belongs to the secret before the last rotation. */
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
  /** The number of bytes that the key may store per day. */
  bytesPerDay: number;
  expiresAt: number | null;
}

/** The maximum number of active keys per account, and of keys that an account can create in 24 hours. */
export interface KeyBounds {
  working: number;
  inADay: number;
}

/** The result of creating a key. `againAt` is the time at which the account may create the next one. */
export type Creation =
  | 'made'
  | 'made-before'
  | 'too-many-working'
  | 'account-gone'
  | { againAt: number };

export interface KeyLookUp {
  /** Finds a key as KeyStore.find does. The record may be an hour old unless `isFresh` is set. */
  find(hash: string, isFresh?: boolean): Promise<FoundKey | null>;
}

export interface KeyStore {
  /** Finds a key, active or not, by the SHA-256 of its secret (hexadecimal). */
  find(hash: string): Promise<FoundKey | null>;
  get(id: string): Promise<KeyRecord | null>;
  /** Lists an account's keys, newest first. */
  list(accountId: string): Promise<KeyRecord[]>;
  /** Creates a key, unless a key with its ID exists, the account is missing or the account has reached its limits. */
  create(key: NewKey, now: number, bounds: KeyBounds): Promise<Creation>;
  /**
   * Revokes a key and its previous secret immediately. Returns false if the account has no such key or it is already
   * revoked.
   */
  revoke(id: string, accountId: string, now: number): Promise<boolean>;
  /**
   * Replaces a key's secret. The old secret expires at `overlapEnds`. Returns false if the account has no such active
   * key, if an earlier old secret is still valid, or if another request has rotated the key since `rotatedAt`.
   */
  rotate(
    key: { id: string; accountId: string; rotatedAt: number | null },
    text: { hash: string; display: string },
    now: number,
    overlapEnds: number,
  ): Promise<boolean>;
  /**
   * Immediately expires the secret that the last rotation replaced. Returns false if there is no such secret or it has
   * already expired.
   */
  endOverlap(id: string, accountId: string, now: number): Promise<boolean>;
  /** Records that these keys were used. Call it in batches. */
  touchLastUsed(ids: readonly string[], now: number): Promise<void>;
  /** Deletes the keys that expired or were revoked before `endedBefore`, and returns their number. */
  cleanUp(endedBefore: number): Promise<number>;
}
