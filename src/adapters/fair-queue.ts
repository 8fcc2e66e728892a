/**
 * Shares capacity fairly among callers by start-time fair queueing. Each caller's entries get increasing tags, so one
 * caller's tenth entry waits behind another caller's first. No entry waits forever.
 */

export interface QueueEntry {
  readonly caller: string;
  /** Determines the order. The entry with the lowest tag is next. */
  readonly tag: number;
  /** The number of units that the entry uses while it runs. */
  units: number;
  state: 'waiting' | 'running' | 'displaced';
  /** The time of the latest poll or renewal, in milliseconds since the epoch. */
  requested: number;
}

interface Capacity {
  /** The limit on units in use at the same time. */
  units: number;
  /** The limit on one caller's units in use at the same time. */
  perCaller: number;
  /** The maximum number of entries, waiting and running combined. */
  entries: number;
  /**
   * The time in milliseconds after which a running entry is removed unless it is renewed. Its request must have been
   * cancelled without notice.
   */
  lostMs?: number;
}

/**
 * A waiting entry is skipped if it has not polled for this many milliseconds, because its request was probably
 * cancelled.
 */
const SILENT_MS = 2000;
/** A waiting entry is removed if it has not polled for this many milliseconds. This time exceeds the longest wait. */
const FORGOTTEN_MS = 90_000;
const LOST_MS = 180_000;

export class FairQueue {
  readonly #capacity: Capacity;
  readonly #isBlocked: (caller: string) => boolean;
  #entries: QueueEntry[] = [];
  /**
   * The highest tag of any entry that has started. New callers start from this tag, so that idle time gives no
   * advantage.
   */
  #started = 0;

  /** @param isBlocked whether the caller's entries must not start yet */
  constructor(capacity: Capacity, isBlocked: (caller: string) => boolean = () => false) {
    this.#capacity = capacity;
    this.#isBlocked = isBlocked;
  }

  /** Whether running entries exceed the caller's capacity or, if no caller is given, the total capacity. */
  isOver(caller?: string): boolean {
    const { units, perCaller } = this.#capacity;
    return this.#running(caller) > (caller === undefined ? units : perCaller);
  }

  /** Returns the numbers of running and waiting entries. */
  load(): { running: number; waiting: number } {
    const running = this.#entries.filter(({ state }) => state === 'running').length;
    return { running, waiting: this.#entries.length - running };
  }

  /** Whether an entry is waiting that is within its caller's limit and therefore needs only total capacity. */
  isContended(now: number): boolean {
    return this.#entries.some((entry) => this.#isAble(entry, now));
  }

  /**
   * Returns a new entry, or null if the queue is full. A full queue first evicts the newest waiting entry of the caller
   * with the most waiting entries, if that caller has at least two more than `caller`.
   */
  enter(caller: string, now: number, units = 1): QueueEntry | null {
    this.#forget(now);
    if (this.#entries.length >= this.#capacity.entries && !this.#displaceFor(caller)) return null;
    const own = this.#entries.filter((entry) => entry.caller === caller);
    const tag = Math.max(this.#started, ...own.map((entry) => entry.tag)) + units;
    const entry: QueueEntry = { caller, tag, units, state: 'waiting', requested: now };
    this.#entries.push(entry);
    return entry;
  }

  /** Starts the entry if it is next and its units are free. Must be called repeatedly for a waiting entry. */
  start(entry: QueueEntry, now: number): boolean {
    entry.requested = now;
    this.#forget(now);
    let next: QueueEntry | undefined;
    for (const other of this.#entries) {
      if (!(next && next.tag <= other.tag) && this.#isAble(other, now)) next = other;
    }
    if (next !== entry || this.#running() + entry.units > this.#capacity.units) return false;
    entry.state = 'running';
    this.#started = Math.max(this.#started, entry.tag);
    return true;
  }

  leave(entry: QueueEntry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
  }

  #forget(now: number): void {
    const { lostMs = LOST_MS } = this.#capacity;
    this.#entries = this.#entries.filter(
      ({ state, requested }) => now - requested < (state === 'waiting' ? FORGOTTEN_MS : lostMs),
    );
  }

  /** Whether the entry is waiting, was polled recently, and is within its caller's limit. */
  #isAble({ state, requested, caller, units }: QueueEntry, now: number): boolean {
    if (state !== 'waiting' || now - requested >= SILENT_MS || this.#isBlocked(caller))
      return false;
    return this.#running(caller) + units <= this.#capacity.perCaller;
  }

  #displaceFor(caller: string): boolean {
    const last = this.#entries
      .filter(({ state }) => state === 'waiting')
      .reduce<QueueEntry | undefined>(
        (most, other) =>
          most && this.#waiting(most.caller) > this.#waiting(other.caller) ? most : other,
        undefined,
      );
    if (!last) return false;
    if (this.#waiting(last.caller) <= this.#waiting(caller) + 1) return false;
    last.state = 'displaced';
    this.leave(last);
    return true;
  }

  #waiting(caller: string): number {
    return this.#entries.filter((entry) => entry.state === 'waiting' && entry.caller === caller)
      .length;
  }

  /** Returns the units in use, in total or by one caller. */
  #running(caller?: string): number {
    let sum = 0;
    for (const entry of this.#entries) {
      if (entry.state !== 'running') continue;
      if (caller === undefined || entry.caller === caller) sum += entry.units;
    }
    return sum;
  }
}
