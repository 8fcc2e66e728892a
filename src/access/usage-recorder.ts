/** Notes who used what, after the answer: entries are gathered for a second and written together. */
import { waitUntil } from 'cloudflare:workers';
import type { KeyStore } from '../core/key-store.ts';
import type { UsageEntry, UsageLog } from '../core/usage-store.ts';

const GATHER_MS = 1000;
/** A request that began a write may be ended from outside; then another one begins it. */
const WRITE_LIFE_MS = 30_000;
/** More than this wait only while nothing can be written. */
const MOST_KEPT = 20_000;

export class UsageRecorder {
  readonly #log: UsageLog;
  readonly #keys: Pick<KeyStore, 'touchLastUsed'>;
  #entries: UsageEntry[] = [];
  #writingUntil = 0;

  constructor(log: UsageLog, keys: Pick<KeyStore, 'touchLastUsed'>) {
    this.#log = log;
    this.#keys = keys;
  }

  /** Call it while a request is being answered. Anonymous calls are not attributed. */
  note(entry: UsageEntry): void {
    if (entry.keyId === null && entry.accountId === null) return;
    if (this.#entries.length < MOST_KEPT) this.#entries.push(entry);
    const now = Date.now();
    if (now < this.#writingUntil) return;
    this.#writingUntil = now + WRITE_LIFE_MS;
    waitUntil(this.#writeSoon());
  }

  async #writeSoon(): Promise<void> {
    await scheduler.wait(GATHER_MS);
    const entries = this.#entries;
    this.#entries = [];
    this.#writingUntil = 0;
    const used = entries.filter(({ refused }) => !refused).map(({ keyId }) => keyId);
    const keys = [...new Set(used)].filter((id) => id !== null);
    try {
      await this.#log.add(entries);
      await this.#keys.touchLastUsed(keys, Math.max(...entries.map(({ at }) => at)));
    } catch (error) {
      // The next one's write takes them along.
      this.#entries = entries.concat(this.#entries).slice(0, MOST_KEPT);
      console.error(JSON.stringify({ event: 'usage-not-written', cause: String(error) }));
    }
  }
}
