/**
 * Caches the keys that this isolate has read. A cached key may be outdated, so the key's Durable Object compares its
 * version on each call (ADR 94).
 */
import type { FoundKey, KeyLookUp } from '../core/key-store.ts';
import { findKey, refuseEnded } from './api-keys.ts';

const MAX_KNOWN = 1000;

export class KnownKeys {
  readonly #keys: KeyLookUp;
  readonly #bySecret = new Map<string, FoundKey>();

  constructor(keys: KeyLookUp) {
    this.#keys = keys;
  }

  has(secret: string): boolean {
    return this.#bySecret.has(secret);
  }

  /** Returns the key for a secret. Throws 401 if no active key matches. */
  find(secret: string, now: number): FoundKey | Promise<FoundKey> {
    const key = this.#bySecret.get(secret);
    if (!key) return this.#read(secret, now, false);
    refuseEnded(key, now);
    return key;
  }

  /** Reads the key for a secret from the database. Throws 401 if no active key matches. */
  findAnew(secret: string, now: number): Promise<FoundKey> {
    this.#bySecret.delete(secret);
    return this.#read(secret, now, true);
  }

  async #read(secret: string, now: number, isFresh: boolean): Promise<FoundKey> {
    const key = await findKey(secret, this.#keys, isFresh);
    if (this.#bySecret.size >= MAX_KNOWN) this.#bySecret.clear();
    this.#bySecret.set(secret, key);
    refuseEnded(key, now);
    return key;
  }
}
