/**
 * Slots that callers share fairly: start-time fair queueing, in which each caller's entries count as if they came one
 * after the other, so that one caller's tenth entry waits behind another caller's first, and none waits for ever.
 */

export interface QueueEntry {
  readonly caller: string;
  /** Its place in the order; the lowest is next. */
  readonly tag: number;
  state: 'waiting' | 'running' | 'displaced' | 'left';
  asked: number;
}

interface Capacity {
  slots: number;
  /** Slots that one caller may hold. */
  perCaller: number;
  /** Entries in all, waiting and running. */
  entries: number;
}

/** An entry whose request ended without a word stops asking. It is passed over after this. */
const SILENT_MS = 2000;
/** Then it no longer counts. Longer than any entry waits. */
const FORGOTTEN_MS = 90_000;

export class FairQueue {
  readonly #capacity: Capacity;
  #entries: QueueEntry[] = [];
  /** The tag of the entry that started last: a caller who comes now is not owed what others had before. */
  #started = 0;

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  /**
   * A new entry, or null where the queue is full. A full queue displaces the last entry of the caller who waits for
   * the most slots, unless that is this caller.
   */
  enter(caller: string, now: number): QueueEntry | null {
    this.#entries = this.#entries.filter(
      ({ state, asked }) => state !== 'waiting' || now - asked < FORGOTTEN_MS,
    );
    if (this.#entries.length >= this.#capacity.entries && !this.#displaceFor(caller)) return null;
    const own = this.#entries.filter((entry) => entry.caller === caller);
    const tag = Math.max(this.#started, ...own.map((entry) => entry.tag)) + 1;
    const entry: QueueEntry = { caller, tag, state: 'waiting', asked: now };
    this.#entries.push(entry);
    return entry;
  }

  /** Gives the entry a slot where it is next. To be asked again and again while it is waiting. */
  start(entry: QueueEntry, now: number): boolean {
    entry.asked = now;
    if (this.#count('running') >= this.#capacity.slots) return false;
    const able = this.#entries.filter(
      ({ state, caller, asked }) =>
        state === 'waiting' &&
        now - asked < SILENT_MS &&
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
    if (entry.state !== 'displaced') entry.state = 'left';
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
