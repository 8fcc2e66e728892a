/** Records usage in batches, after the responses have been sent. */
import type { KeyStore } from '../core/key-store.ts';
import type { UsageEntry, UsageLog, UsageRecorder, Use } from '../core/usage-store.ts';
import { Gatherer } from './gatherer.ts';

export class GatheringRecorder implements UsageRecorder {
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

  note(use: Use): void {
    const { keyId, refused } = use;
    const at = Date.now();
    this.#entries.add({ ...use, at });
    if (keyId !== null && !refused) this.#uses.add({ keyId, at });
  }

  async flush(): Promise<void> {
    await Promise.all([this.#entries.flush(), this.#uses.flush()]);
  }
}
