/** A clock that jumps from event to event, and reproducible random numbers. */
import { setImmediate as settled } from 'node:timers/promises';
import type { Clock } from '../../src/adapters/media-fleet.ts';

interface Event {
  at: number;
  happen(): void;
}

export class SimulatedClock implements Clock {
  #now = 0;
  #events: Event[] = [];
  #state: number;

  constructor(seed = 1) {
    this.#state = seed;
  }

  now(): number {
    return this.#now;
  }

  /** Mulberry32. */
  readonly random = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  /** Returns a function that cancels the event. */
  at(time: number, happen: () => void): () => void {
    const event = { at: Math.max(time, this.#now), happen };
    this.#events.splice(this.#indexAfter(event.at), 0, event);
    return () => {
      const found = this.#events.indexOf(event);
      if (found >= 0) this.#events.splice(found, 1);
    };
  }

  /**
   * Returns the index after all events up to `time`. Uses binary search, because storms have many
   * thousands of events.
   */
  #indexAfter(time: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#events[middle]!.at <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.at(this.#now + milliseconds, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort);
    });
  }

  /** Advances the clock until `work` ends. Throws if no event is left that could end it. */
  async runUntil<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const end = () => {
      over = true;
    };
    work.then(end, end);
    for (;;) {
      await settled();
      if (over) return work;
      const next = this.#events.shift();
      if (!next) throw new Error('the simulation waits for something that never happens');
      this.#now = next.at;
      next.happen();
    }
  }
}
