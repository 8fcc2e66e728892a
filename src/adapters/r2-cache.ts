/** Implements the cache port on R2. Each isolate also has a cache in memory. */
import { waitUntil } from 'cloudflare:workers';
import type { CachePort } from '../core/ports.ts';
import type { StorageBudget } from '../core/stored-bytes.ts';
import { log } from '../lib/log.ts';
import { sha256 } from '../lib/sha256.ts';
import { withTimeLimit } from './storage-time.ts';

const PREFIX = 'cache/';
const MAX_MEMORY_BYTES = 4 * 2 ** 20;
const MAX_REMEMBERED_BYTES = 64 * 1024;
/** The maximum number of entries that are listed and deleted at once. A clean-up does this at most MAX_LISTS times. */
const LISTED = 1000;
const MAX_LISTS = 50;
/** The share of the listed entries that must have expired for the clean-up to continue. */
const MUCH = 0.1;

interface Entry {
  bytes: Uint8Array;
  /** The expiry time in milliseconds since the epoch. */
  end: number;
}

export class R2Cache implements CachePort {
  readonly #bucket: R2Bucket;
  readonly #budget: StorageBudget;
  /** The entries in order of last use. The least recently used entry is removed first. */
  readonly #memory = new Map<string, Entry>();
  #memoryBytes = 0;

  constructor(bucket: R2Bucket, budget: StorageBudget) {
    this.#bucket = bucket;
    this.#budget = budget;
  }

  async get(key: string): Promise<Uint8Array | null> {
    const remembered = this.#memory.get(key);
    if (remembered) {
      this.#forget(key, remembered);
      if (remembered.end <= Date.now()) return null;
      this.#remember(key, remembered);
      return remembered.bytes;
    }
    try {
      const object = await this.#bucket.get(await nameOf(key));
      const end = Number(object?.customMetadata?.end);
      if (!object || !(end > Date.now())) return null;
      const bytes = new Uint8Array(await object.arrayBuffer());
      this.#remember(key, { bytes, end });
      return bytes;
    } catch (error) {
      report('get', error);
      return null;
    }
  }

  async put(key: string, bytes: Uint8Array, lifeSeconds: number): Promise<void> {
    if ((this.#memory.get(key)?.end ?? 0) > Date.now()) return;
    const end = Date.now() + lifeSeconds * 1000;
    this.#remember(key, { bytes, end });
    // The write continues in the background, so the response does not wait for it.
    waitUntil(this.#write(key, bytes, end));
  }

  /**
   * Deletes the expired entries in a random range of keys. Keys are hashes, so any range is a fair sample. If many
   * entries have expired, continues with the next range, so that deletion keeps up with writes.
   */
  async cleanUp(now: number): Promise<number> {
    let location = PREFIX + crypto.getRandomValues(new Uint8Array(2)).toHex();
    let deleted = 0;
    for (let count = 0; count < MAX_LISTS; count += 1) {
      const { objects } = await this.#bucket.list({
        prefix: PREFIX,
        startAfter: location,
        limit: LISTED,
        include: ['customMetadata'],
      });
      const expired = objects.filter(({ customMetadata }) => !(Number(customMetadata?.end) > now));
      if (expired.length > 0) await this.#bucket.delete(expired.map(({ key }) => key));
      deleted += expired.length;
      if (expired.length < LISTED * MUCH) break;
      location = objects.at(-1)!.key;
    }
    return deleted;
  }

  async #write(key: string, bytes: Uint8Array, end: number): Promise<void> {
    const reservation = this.#budget.reservation(null, end);
    try {
      await reservation.add(bytes.byteLength);
      const customMetadata = { end: String(end) };
      await withTimeLimit(this.#bucket.put(await nameOf(key), bytes, { customMetadata }));
    } catch (error) {
      await reservation.release();
      report('put', error);
    }
  }

  #remember(key: string, entry: Entry): void {
    if (entry.bytes.byteLength > MAX_REMEMBERED_BYTES) return;
    const known = this.#memory.get(key);
    if (known) this.#forget(key, known);
    this.#memory.set(key, entry);
    this.#memoryBytes += weight(key, entry);
    for (const [oldKey, old] of this.#memory) {
      if (this.#memoryBytes <= MAX_MEMORY_BYTES) return;
      this.#forget(oldKey, old);
    }
  }

  #forget(key: string, entry: Entry): void {
    this.#memory.delete(key);
    this.#memoryBytes -= weight(key, entry);
  }
}

const weight = (key: string, { bytes }: Entry) => 2 * key.length + bytes.byteLength + 100;

/** Hashes the key, so that it can have any length and contain any characters. */
const nameOf = async (key: string): Promise<string> => PREFIX + (await sha256(key));

function report(what: string, error: unknown): void {
  log('error', 'cache', { what, cause: error });
}
