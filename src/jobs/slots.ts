/**
 * Limits how many jobs an isolate runs at once. One owner's jobs never fill all slots, so that a job of another owner
 * can start.
 */

const AT_ONCE = 4;
/** A waiting job that has not called `take` for this many milliseconds is removed from the queue. */
const FORGOTTEN_MS = 180_000;
/**
 * The time in milliseconds after which a running job is considered dead and loses its slot. The platform ends an alarm
 * handler after 15 minutes.
 */
const DEAD_MS = 16 * 60_000;

interface SlotJob {
  owner: string;
  /** The time of its latest call to `take`, or the time at which it got the slot of another job. */
  at: number;
}

export class Slots {
  readonly #most: number;
  readonly #perOwner: number;
  readonly #working = new Map<string, SlotJob>();
  /** The waiting jobs, in order of arrival. */
  readonly #waiting = new Map<string, SlotJob>();

  constructor(most = AT_ONCE, perOwner = Math.max(1, most - 1)) {
    this.#most = most;
    this.#perOwner = perOwner;
  }

  /**
   * Takes a slot if one is free. Otherwise, the job waits in the queue and must call this method repeatedly. A job that
   * has a slot keeps it.
   */
  take(id: string, owner: string, now: number): boolean {
    for (const [other, { at }] of this.#waiting) {
      if (now - at > FORGOTTEN_MS) this.#waiting.delete(other);
    }
    for (const [other, { at }] of this.#working) {
      if (now - at > DEAD_MS) this.#working.delete(other);
    }
    const job = { owner, at: now };
    if (!this.#working.has(id)) {
      this.#waiting.set(id, job);
      if (!this.#next().has(id)) return false;
    }
    this.#grant(id, job);
    return true;
  }

  /**
   * Releases the job's slot or removes the job from the queue. Returns the jobs that got a slot, which must be woken.
   */
  leave(id: string, now: number): string[] {
    this.#working.delete(id);
    this.#waiting.delete(id);
    const next = this.#next();
    for (const [other, { owner }] of next) this.#grant(other, { owner, at: now });
    return [...next.keys()];
  }

  /**
   * Returns the waiting jobs that get the free slots. Jobs whose owners have the fewest running jobs come first, in
   * order of arrival.
   */
  #next(): Map<string, SlotJob> {
    const next = new Map<string, SlotJob>();
    const running = new Map<string, number>();
    const count = (owner: string) => running.get(owner) ?? 0;
    for (const { owner } of this.#working.values()) running.set(owner, count(owner) + 1);
    while (this.#working.size + next.size < this.#most) {
      let first: [string, SlotJob] | undefined;
      let least = this.#perOwner;
      for (const [id, job] of this.#waiting) {
        if (next.has(id) || count(job.owner) >= least) continue;
        first = [id, job];
        least = count(job.owner);
      }
      if (!first) break;
      next.set(...first);
      running.set(first[1].owner, least + 1);
    }
    return next;
  }

  #grant(id: string, job: SlotJob): void {
    this.#waiting.delete(id);
    this.#working.set(id, job);
  }
}
