/** A cache in memory for tool tests. */
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
