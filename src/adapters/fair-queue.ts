/**
 * Slots that callers share fairly, by start-time fair queueing: the entries of a caller get increasing tags, so one
 * caller's tenth entry waits behind another caller's first, and no entry waits for ever.
 */

export interface QueueEntry {
  readonly caller: string;
  /** The entry with the lowest tag is next. */
  readonly tag: number;
  state: 'waiting' | 'running' | 'displaced';
  /** When it last requested a slot; milliseconds since the epoch. */
  requested: number;
}

interface Capacity {
  slots: number;
  /** Slots that one caller may hold. */
  perCaller: number;
  /** Entries in total, waiting and running. */
  entries: number;
}

/** An entry stops polling if its request was cancelled without notice. It is skipped after this. */
const SILENT_MS = 2000;
/** It is removed after this, which is longer than any entry waits. */
const FORGOTTEN_MS = 90_000;

export class FairQueue {
  readonly #capacity: Capacity;
  #entries: QueueEntry[] = [];
  /** The highest tag that has started. A new caller continues from it instead of catching up. */
  #started = 0;

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  /**
   * A new entry, or null when the queue is full. A full queue displaces the last entry of the caller with the most
   * waiting entries, if another caller has at least two fewer.
   */
  enter(caller: string, now: number): QueueEntry | null {
    this.#entries = this.#entries.filter(
      ({ state, requested }) => state !== 'waiting' || now - requested < FORGOTTEN_MS,
    );
    if (this.#entries.length >= this.#capacity.entries && !this.#displaceFor(caller)) return null;
    const own = this.#entries.filter((entry) => entry.caller === caller);
    const tag = Math.max(this.#started, ...own.map((entry) => entry.tag)) + 1;
    const entry: QueueEntry = { caller, tag, state: 'waiting', requested: now };
    this.#entries.push(entry);
    return entry;
  }

  /** Gives the entry a slot if it is next. A waiting entry must call this repeatedly. */
  start(entry: QueueEntry, now: number): boolean {
    entry.requested = now;
    if (this.#count('running') >= this.#capacity.slots) return false;
    const able = this.#entries.filter(
      ({ state, caller, requested }) =>
        state === 'waiting' &&
        now - requested < SILENT_MS &&
        this.#count('running', caller) < this.#capacity.perCaller,
    );
    const next = able.reduce<QueueEntry | undefined>(
      (first, other) => (first && first.tag <= other.tag ? first : other),
      undefined,
    );
    if (next !== entry) return false;
    entry.state = 'running';
    this.#started = Math.max(this.#started, entry.tag);
    return true;
  }

  leave(entry: QueueEntry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
  }

  #displaceFor(caller: string): boolean {
    const last = this.#entries
      .filter(({ state }) => state === 'waiting')
      .reduce<QueueEntry | undefined>(
        (most, other) =>
          most && this.#count('waiting', most.caller) > this.#count('waiting', other.caller)
            ? most
            : other,
        undefined,
      );
    if (!last) return false;
    if (this.#count('waiting', last.caller) <= this.#count('waiting', caller) + 1) return false;
    last.state = 'displaced';
    this.leave(last);
    return true;
  }

  #count(state: QueueEntry['state'], caller?: string): number {
    return this.#entries.filter(
      (entry) => entry.state === state && (caller === undefined || entry.caller === caller),
    ).length;
  }
}
