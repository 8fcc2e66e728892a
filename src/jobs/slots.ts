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

  /** Takes a slot, or a place among those that wait. Who waits asks again now and then. */
  take(id: string, now: number): boolean {
    for (const [other, asked] of this.#waiting) {
      if (now - asked > FORGOTTEN_MS) this.#waiting.delete(other);
    }
    for (const [other, since] of this.#working) {
      // Who asks is not at work: it was, and was interrupted.
      if (other === id || now - since > DEAD_MS) this.#working.delete(other);
    }
    this.#waiting.set(id, now);
    const free = this.#most - this.#working.size;
    if (free <= 0 || !this.#first(free).includes(id)) return false;
    this.#waiting.delete(id);
    this.#working.set(id, now);
    return true;
  }

  /** Gives back a slot or a place. Gives those who may ask again now. */
  leave(id: string): string[] {
    this.#working.delete(id);
    this.#waiting.delete(id);
    return this.#first(this.#most - this.#working.size);
  }

  #first(count: number): string[] {
    return this.#waiting.keys().take(Math.max(0, count)).toArray();
  }
}
