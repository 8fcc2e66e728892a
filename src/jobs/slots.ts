/** Limits how many jobs an isolate runs at once. Slots are assigned in order of arrival. */

const AT_ONCE = 4;
/** A waiting job that has not called `take` for this many milliseconds is removed from the queue. */
const FORGOTTEN_MS = 180_000;
/**
 * The time in milliseconds after which a running job is considered dead and loses its slot. The platform ends an alarm
 * handler after 15 minutes.
 */
const DEAD_MS = 16 * 60_000;

export class Slots {
  readonly #most: number;
  /** The start time of each running job. */
  readonly #working = new Map<string, number>();
  /** The time of each waiting job's latest call to `take`. The jobs are in order of arrival. */
  readonly #waiting = new Map<string, number>();

  constructor(most = AT_ONCE) {
    this.#most = most;
  }

  /**
   * Takes a slot if one is free. Otherwise, the job waits in the queue and must call this method repeatedly. A job that
   * has a slot keeps it.
   */
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

  /**
   * Releases the job's slot or removes the job from the queue. Returns the jobs that got a slot, which must be woken.
   */
  leave(id: string, now: number): string[] {
    this.#working.delete(id);
    this.#waiting.delete(id);
    const next = this.#first();
    for (const other of next) this.#grant(other, now);
    return next;
  }

  /** Returns the first waiting jobs, as many as there are free slots. */
  #first(): string[] {
    const free = Math.max(0, this.#most - this.#working.size);
    return this.#waiting.keys().take(free).toArray();
  }

  #grant(id: string, now: number): void {
    this.#waiting.delete(id);
    this.#working.set(id, now);
  }
}
