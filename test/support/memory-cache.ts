/** Implements a cache in memory for tests of tools. */
import type { CachePort } from '../../src/core/ports.ts';

export class MemoryCache implements CachePort {
  readonly entries = new Map<string, Uint8Array>();

  async get(key: string): Promise<Uint8Array | null> {
    return this.entries.get(key) ?? null;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    if (!this.entries.has(key)) this.entries.set(key, bytes);
  }
}
