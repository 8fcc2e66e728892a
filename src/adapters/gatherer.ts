/** Gathers what is to be written for a second, and writes it together, after the answers. */
import { waitUntil } from 'cloudflare:workers';

const GATHER_MS = 1000;
/** A request that began a write may be ended from outside; then another one begins it. */
const WRITE_LIFE_MS = 30_000;
/** More than this wait only while nothing can be written. */
const MOST_KEPT = 20_000;

export class Gatherer<Item> {
  readonly #what: string;
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #items: Item[] = [];
  #writingUntil = 0;

  /** `what` names the items in the log. What `write` fails at is written with the next ones. */
  constructor(what: string, write: (items: readonly Item[]) => Promise<void>) {
    this.#what = what;
    this.#write = write;
  }

  /** Call it while a request is being answered. */
  add(item: Item): void {
    if (this.#items.length < MOST_KEPT) this.#items.push(item);
    const now = Date.now();
    if (now < this.#writingUntil) return;
    this.#writingUntil = now + WRITE_LIFE_MS;
    waitUntil(this.#writeSoon());
  }

  /** Writes what is there now. Never throws. */
  async flush(): Promise<void> {
    const items = this.#items;
    this.#items = [];
    this.#writingUntil = 0;
    if (items.length === 0) return;
    try {
      await this.#write(items);
    } catch (error) {
      this.#items = items.concat(this.#items).slice(0, MOST_KEPT);
      console.error(JSON.stringify({ event: `${this.#what}-not-written`, cause: String(error) }));
    }
  }

  async #writeSoon(): Promise<void> {
    await scheduler.wait(GATHER_MS);
    await this.flush();
  }
}
