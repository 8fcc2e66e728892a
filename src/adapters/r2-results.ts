/** The results port on R2: one JSON object a result under `results/{days}d/{digest of the key}`, with its end inside. */
import type { ResultsPort } from '../core/ports.ts';

const PREFIX = 'results/';
const DAY_SECONDS = 24 * 3600;
/** How often a caller looks whether another one's identical work is done. */
const LOOK_AGAIN_MS = 15;
/** After this, work that has told nothing is given up: its request was ended from outside. */
const FORGOTTEN_MS = 90_000;
const PAGE = 1000;

interface Entry {
  expiresAt: number;
  value: unknown;
}

/** Work that another request does at this moment. */
interface Running {
  since: number;
  outcome?: { value: unknown } | { error: unknown } | 'abandoned';
}

export class R2Results implements ResultsPort {
  readonly #bucket: R2Bucket;
  readonly #running = new Map<string, Running>();

  constructor(bucket: R2Bucket) {
    this.#bucket = bucket;
  }

  async remember<T>(
    key: readonly unknown[],
    lifeSeconds: number,
    signal: AbortSignal,
    make: () => Promise<T>,
  ): Promise<{ value: T; cached: boolean }> {
    const name = await nameOf(key, lifeSeconds);
    for (;;) {
      const running = this.#running.get(name);
      if (!running) break;
      const outcome = await this.#outcomeOf(name, running, signal);
      if (outcome === 'abandoned') continue;
      if ('error' in outcome) throw outcome.error;
      return { value: outcome.value as T, cached: true };
    }
    const running: Running = { since: Date.now() };
    this.#running.set(name, running);
    const abandon = () => this.#end(name, running, 'abandoned');
    signal.addEventListener('abort', abandon, { once: true });
    try {
      const kept = await this.#read(name);
      const value = kept ? (kept.value as T) : await make();
      if (!kept) await this.#write(name, { value, expiresAt: Date.now() + lifeSeconds * 1000 });
      this.#end(name, running, { value });
      return { value, cached: kept !== null };
    } catch (error) {
      this.#end(name, running, signal.aborted ? 'abandoned' : { error });
      throw error;
    } finally {
      signal.removeEventListener('abort', abandon);
    }
  }

  /** Deletes what is past its end, beginning at a random place, at most 10 pages; gives the number deleted. */
  async cleanUp(now: number): Promise<number> {
    let deleted = 0;
    for (const days of [1, 7]) {
      const prefix = `${PREFIX}${days}d/`;
      const place = crypto.getRandomValues(new Uint8Array(1)).toHex();
      let startAfter: string | undefined = (await this.#isLarge(prefix))
        ? prefix + place
        : undefined;
      for (let page = 0; page < 10; page += 1) {
        const { objects, truncated } = await this.#bucket.list({ prefix, startAfter, limit: PAGE });
        const old = objects.filter(
          ({ uploaded }) => uploaded.getTime() + days * DAY_SECONDS * 1000 <= now,
        );
        if (old.length > 0) await this.#bucket.delete(old.map(({ key }) => key));
        deleted += old.length;
        startAfter = objects.at(-1)?.key;
        if (!truncated) break;
      }
    }
    return deleted;
  }

  async #isLarge(prefix: string): Promise<boolean> {
    return (await this.#bucket.list({ prefix, limit: PAGE })).truncated;
  }

  /** Polled, not awaited: a promise of a request that was ended from outside never settles. */
  async #outcomeOf(name: string, running: Running, signal: AbortSignal) {
    while (!running.outcome) {
      await scheduler.wait(LOOK_AGAIN_MS, { signal });
      if (Date.now() - running.since > FORGOTTEN_MS) this.#end(name, running, 'abandoned');
    }
    return running.outcome as NonNullable<Running['outcome']>;
  }

  #end(name: string, running: Running, outcome: NonNullable<Running['outcome']>): void {
    running.outcome ??= outcome;
    if (this.#running.get(name) === running) this.#running.delete(name);
  }

  async #read(name: string): Promise<Entry | null> {
    const entry = await (await this.#bucket.get(name))?.json<Entry>();
    return entry && entry.expiresAt > Date.now() ? entry : null;
  }

  async #write(name: string, entry: Entry): Promise<void> {
    await this.#bucket.put(name, JSON.stringify(entry));
  }
}

async function nameOf(key: readonly unknown[], lifeSeconds: number): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(key));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return `${PREFIX}${Math.ceil(lifeSeconds / DAY_SECONDS)}d/${digest.toHex()}`;
}
