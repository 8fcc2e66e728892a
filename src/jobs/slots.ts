/** How many jobs an isolate works on at once, and who is next: first come, first served. */

const AT_ONCE = 4;
/** One that has not asked again for so long is gone. */
const FORGOTTEN_MS = 180_000;
/** The platform ends an alarm's handler after 15 minutes: whoever works longer died without leaving. */
const DEAD_MS = 16 * 60_000;

export class Slots {
  readonly #most: number;
  /** Since when each of those that have a slot works. */
  readonly #working = new Map<string, number>();
  /** When each of those that wait has last asked, in the order in which they came. */
  readonly #waiting = new Map<string, number>();

  constructor(most = AT_ONCE) {
    this.#most = most;
  }

  /** Takes a slot, or a place among those that wait. Who waits asks again now and then; who has one keeps it. */
  take(id: string, now: number): boolean {
    for (const [other, requested] of this.#waiting) {
      if (now - requested > FORGOTTEN_MS) this.#waiting.delete(other);
    }
    for (const [other, since] of this.#working) {
      if (now - since > DEAD_MS) this.#working.delete(other);
    }
    if (!this.#working.has(id)) {
      this.#waiting.set(id, now);
      if (!this.#first().includes(id)) return false;
    }
    this.#grant(id, now);
    return true;
  }

  /** Gives back a slot or a place. Gives those whose turn it is: each has a slot now, and is to be woken. */
  leave(id: string, now: number): string[] {
    this.#working.delete(id);
    this.#waiting.delete(id);
    const next = this.#first();
    for (const other of next) this.#grant(other, now);
    return next;
  }

  /** Those first in line for whom there is a slot. */
  #first(): string[] {
    const free = Math.max(0, this.#most - this.#working.size);
    return this.#waiting.keys().take(free).toArray();
  }

  #grant(id: string, now: number): void {
    this.#waiting.delete(id);
    this.#working.set(id, now);
  }
}
