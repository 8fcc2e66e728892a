/** Collects items for at least a second, and writes them in one batch after the responses have been sent. */
import { waitUntil } from 'cloudflare:workers';
import { log } from '../lib/log.ts';

const GATHER_MS = 1000;
/**
 * The time in milliseconds after which another request repeats an unfinished write, because the platform may have
 * cancelled the request that began it.
 */
const WRITE_LIFE_MS = 30_000;
/** The limit on collected items. It is reached only if the database fails. */
const MAX_REMEMBERED = 20_000;

export class Gatherer<Item> {
  readonly #what: string;
  readonly #write: (items: readonly Item[]) => Promise<void>;
  readonly #gatherMs: number;
  #items: Item[] = [];
  #writingUntil = 0;

  /** `what` is the name of the items in the log. Items that `write` could not write are added to the next batch. */
  constructor(
    what: string,
    write: (items: readonly Item[]) => Promise<void>,
    gatherMs = GATHER_MS,
  ) {
    this.#what = what;
    this.#write = write;
    this.#gatherMs = gatherMs;
  }

  /** Must be called while a request is being handled. */
  add(item: Item): void {
    if (this.#items.length < MAX_REMEMBERED) this.#items.push(item);
    const now = Date.now();
    if (now < this.#writingUntil) return;
    this.#writingUntil = now + WRITE_LIFE_MS;
    waitUntil(this.#writeSoon());
  }

  /** Writes the collected items now. Never throws. */
  async flush(): Promise<void> {
    const items = this.#items;
    this.#items = [];
    this.#writingUntil = 0;
    if (items.length === 0) return;
    try {
      await this.#write(items);
    } catch (error) {
      this.#items = items.concat(this.#items).slice(0, MAX_REMEMBERED);
      log('error', `${this.#what}-not-written`, { cause: error });
    }
  }

  async #writeSoon(): Promise<void> {
    await scheduler.wait(this.#gatherMs);
    await this.flush();
  }
}
