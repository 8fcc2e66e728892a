/**
 * Looks up keys in the data center's cache, so that a new isolate need not query the database. An outdated record is
 * harmless, because the key's Durable Object detects it (ADR 94).
 */
import type { FoundKey, KeyLookUp } from '../core/key-store.ts';

const LIFE_SECONDS = 3600;

export class CachedKeys implements KeyLookUp {
  readonly #keys: KeyLookUp;

  constructor(keys: KeyLookUp) {
    this.#keys = keys;
  }

  async find(hash: string, isFresh = false): Promise<FoundKey | null> {
    const cache = await caches.open('keys');
    const address = `https://keys.invalid/${hash}`;
    if (!isFresh) {
      const cached = await cache.match(address);
      if (cached) return cached.json<FoundKey>();
    }
    const key = await this.#keys.find(hash);
    // An unknown secret is not cached, because it may belong to a key that is being created.
    if (!key) await cache.delete(address);
    else {
      const headers = { 'Cache-Control': `max-age=${LIFE_SECONDS}` };
      await cache.put(address, Response.json(key, { headers }));
    }
    return key;
  }
}
