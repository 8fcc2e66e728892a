/**
 * Counts all stored bytes by the hour in which they expire. Expired bytes drop out of the count automatically, so their
 * deletion need not be reported.
 */
import { HOUR_MS } from '../core/calendar.ts';
import type { StoredBy } from '../core/stored-bytes.ts';

/** The time between two clean-ups, in milliseconds. Until the next clean-up, expired files still take up space. */
const CLEAN_UP_MS = 15 * 60_000;

type Bytes = Record<StoredBy, number>;

export type SavedLedger = [hour: number, bytes: Bytes][];

export class ByteLedger {
  readonly #hours: Map<number, Bytes>;

  constructor(saved: SavedLedger = []) {
    this.#hours = new Map(saved);
  }

  /** Adds bytes that expire at `end`. A negative number subtracts bytes, but the count never falls below 0. */
  add(bytes: number, end: number, owner: StoredBy): void {
    const hour = Math.ceil((end + CLEAN_UP_MS) / HOUR_MS);
    const known = this.#hours.get(hour) ?? { anonymous: 0, known: 0 };
    known[owner] = Math.max(0, known[owner] + bytes);
    this.#hours.set(hour, known);
  }

  /** Returns the number of bytes that are stored at `now`. */
  stored(now: number): Bytes {
    const sum = { anonymous: 0, known: 0 };
    for (const [hour, bytes] of this.#hours) {
      if (hour * HOUR_MS <= now || bytes.anonymous + bytes.known === 0) {
        this.#hours.delete(hour);
        continue;
      }
      sum.anonymous += bytes.anonymous;
      sum.known += bytes.known;
    }
    return sum;
  }

  save(): SavedLedger {
    return [...this.#hours];
  }
}
