/**
 * Manages one region's browsers, which are shared by all isolates. Limits concurrent captures, chooses the next caller
 * and reuses idle browsers. Its methods receive the current time in milliseconds since the epoch.
 */
import { FairQueue, type QueueEntry } from './fair-queue.ts';

/** A running browser to which no capture is connected. */
export interface BrowserSession {
  id: string;
  agent: string;
  captures: number;
  /** The time at which the browser was launched, in milliseconds since the epoch. */
  launched: number;
}

/**
 * The next step of a capture. `refused` means that another caller's capture displaced it, or that its ticket is
 * unknown.
 */
export type NextStep = 'wait' | 'launch' | 'refused' | BrowserSession;

/** The limit on one caller's concurrent captures. */
const PER_CALLER = 2;
/** The limit on running and waiting captures per browser. */
const ENTRIES_PER_BROWSER = 5;
/**
 * The number of idle browsers that stay open while no capture is waiting. An idle browser costs as much as a busy one.
 */
const IDLE = 1;

export class BrowserPool {
  readonly #queue: FairQueue;
  readonly #launchMs: number;
  readonly #entries = new Map<number, QueueEntry>();
  readonly #idle: BrowserSession[] = [];
  #tickets = 0;
  #nextLaunch = 0;

  /**
   * @param browsers the number of concurrent captures
   * @param launchMs the minimum time between two launches, in milliseconds
   */
  constructor(browsers: number, launchMs: number) {
    const entries = browsers * ENTRIES_PER_BROWSER;
    this.#queue = new FairQueue({ units: browsers, perCaller: PER_CALLER, entries });
    this.#launchMs = launchMs;
  }

  load(): { running: number; waiting: number; idle: number } {
    return { ...this.#queue.load(), idle: this.#idle.length };
  }

  /** Returns the ticket of a new capture, or null if too many captures are waiting. */
  enter(caller: string, now: number): number | null {
    const entry = this.#queue.enter(caller, now);
    if (!entry) return null;
    this.#tickets += 1;
    this.#entries.set(this.#tickets, entry);
    return this.#tickets;
  }

  /** Returns the next step of the ticket's capture. A waiting capture must poll this method. */
  next(ticket: number, now: number): NextStep {
    const entry = this.#entries.get(ticket);
    if (!entry || entry.state === 'displaced') return 'refused';
    if (entry.state === 'waiting' && !this.#queue.start(entry, now)) return 'wait';
    const session = this.#idle.pop();
    if (session) return session;
    if (now < this.#nextLaunch) return 'wait';
    this.#nextLaunch = now + this.#launchMs;
    return 'launch';
  }

  /**
   * Ends a capture. Returns false if the pool will not reuse the capture's browser. The caller must then close the
   * browser.
   */
  leave(ticket: number, session?: BrowserSession): boolean {
    const entry = this.#entries.get(ticket);
    if (entry) this.#queue.leave(entry);
    this.#entries.delete(ticket);
    if (!session || this.#idle.length >= Math.max(IDLE, this.#queue.load().waiting)) return false;
    this.#idle.push(session);
    return true;
  }

  /** Removes an idle browser. Returns false if another capture has used it since `session` was recorded. */
  takeIdle({ id, captures }: BrowserSession): boolean {
    const index = this.#idle.findIndex((idle) => idle.id === id && idle.captures === captures);
    if (index >= 0) this.#idle.splice(index, 1);
    return index >= 0;
  }
}
