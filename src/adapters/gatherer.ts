/** Collects items for at least a second, and writes them in one batch after the responses have been sent. */
import { waitUntil } from 'cloudflare:workers';
import { log } from '../lib/log.ts';

const GATHER_MS = 1000;
/**
 * The time in milliseconds after which another request repeats an unfinished write, because the platform may have
 * cancelled the request that began it.
 */
const WRITE_LIFE_MS = 30_000;
/** How long `flush` waits for writes of other requests, in milliseconds. A write that was cancelled never ends. */
const WAIT_MS = 2000;
const POLL_MS = 20;
/** The limit on collected items. It is reached only if the database fails. */
const MAX_REMEMBERED = 20_000;

export class Gatherer<Item> {
  readonly #what: string;
  readonly #write: (items: readonly Item[]) => Promise<void>;
  readonly #gatherMs: number;
  #items: Item[] = [];
  #writingUntil = 0;
  #unfinishedWrites = 0;

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

  /** Writes the collected items now, and waits until writes that have begun are finished. Never throws. */
  async flush(): Promise<void> {
    await this.#writeNow();
    const end = Date.now() + WAIT_MS;
    while (this.#unfinishedWrites > 0 && Date.now() < end) await scheduler.wait(POLL_MS);
  }

  async #writeNow(): Promise<void> {
    const items = this.#items;
    this.#items = [];
    this.#writingUntil = 0;
    if (items.length === 0) return;
    this.#unfinishedWrites += 1;
    try {
      await this.#write(items);
    } catch (error) {
      this.#items = items.concat(this.#items).slice(0, MAX_REMEMBERED);
      log('error', `${this.#what}-not-written`, { cause: error });
    } finally {
      this.#unfinishedWrites -= 1;
    }
  }

  async #writeSoon(): Promise<void> {
    await scheduler.wait(this.#gatherMs);
    await this.#writeNow();
  }
}
