/**
 * Implements the results port with the cache port. Each result is stored as JSON under the key of its request.
 * Concurrent identical requests share one call.
 */
import type { CachePort, ResultsPort } from '../core/ports.ts';

/** The interval at which a request checks whether an identical request has finished, in milliseconds. */
const LOOK_AGAIN_MS = 15;
/**
 * The time in milliseconds after which unfinished work counts as lost, because the platform must have cancelled its
 * request.
 */
const FORGOTTEN_MS = 150_000;

/** Work that another request is waiting for or can share. */
interface Running {
  since: number;
  outcome?: { value: unknown } | { error: unknown } | 'abandoned';
}

export class CachedResults implements ResultsPort {
  readonly #cache: CachePort;
  readonly #running = new Map<string, Running>();

  constructor(cache: CachePort) {
    this.#cache = cache;
  }

  async remember<T>(
    key: readonly unknown[],
    lifeSeconds: number | ((value: T) => number),
    signal: AbortSignal,
    make: (look: () => Promise<T | null>) => Promise<T>,
  ): Promise<{ value: T; cached: boolean }> {
    const name = JSON.stringify(key);
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
      let cached = false;
      const look = async (): Promise<T | null> => {
        const hit = await this.#cache.get(name);
        cached = hit !== null;
        return hit && (JSON.parse(new TextDecoder().decode(hit)) as T);
      };
      const value = (await look()) ?? (await make(look));
      const life = typeof lifeSeconds === 'number' ? lifeSeconds : lifeSeconds(value);
      if (!cached) {
        const bytes = new TextEncoder().encode(JSON.stringify(value));
        await this.#cache.put(name, bytes, life);
      }
      this.#end(name, running, { value });
      return { value, cached };
    } catch (error) {
      this.#end(name, running, signal.aborted ? 'abandoned' : { error });
      throw error;
    } finally {
      signal.removeEventListener('abort', abandon);
    }
  }

  /** Polls the outcome, because a cancelled request's promise never settles. */
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
}
