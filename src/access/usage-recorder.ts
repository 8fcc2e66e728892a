/** Records usage after the response. */
import type { KeyStore } from '../core/key-store.ts';
import type { UsageEntry, UsageLog } from '../core/usage-store.ts';
import { Gatherer } from '../lib/gatherer.ts';

/** A usage entry without its time, which is when it is recorded. */
export type Use = Omit<UsageEntry, 'at'>;

export class UsageRecorder {
  readonly #entries: Gatherer<UsageEntry>;
  readonly #uses: Gatherer<{ keyId: string; at: number }>;

  constructor(log: UsageLog, keys: Pick<KeyStore, 'touchLastUsed'>) {
    this.#entries = new Gatherer('usage', (entries) => log.add(entries));
    this.#uses = new Gatherer('last-use', (uses) =>
      keys.touchLastUsed(
        [...new Set(uses.map(({ keyId }) => keyId))],
        Math.max(...uses.map(({ at }) => at)),
      ),
    );
  }

  /** Call it while a request is being handled. Anonymous calls are not recorded. */
  note(use: Use): void {
    const { keyId, accountId, refused } = use;
    if (keyId === null && accountId === null) return;
    const at = Date.now();
    this.#entries.add({ ...use, at });
    if (keyId !== null && !refused) this.#uses.add({ keyId, at });
  }

  /** Writes the collected entries. */
  async flush(): Promise<void> {
    await Promise.all([this.#entries.flush(), this.#uses.flush()]);
  }
}
