/**
 * The browsers of one region, shared by all isolates: how many draw at once, who is next, and which one a finished
 * capture leaves for the next. Pure: time is passed in, in milliseconds since the epoch.
 */
import { FairQueue, type QueueEntry } from './fair-queue.ts';

/** A running browser to which nothing is connected. */
export interface BrowserSession {
  id: string;
  /** The browser's own user agent. */
  agent: string;
  captures: number;
  /** When its process was launched. */
  launched: number;
}

/** What a capture does next: `refused` if another caller's capture displaced it. */
export type NextStep = 'wait' | 'launch' | 'refused' | BrowserSession;

/** Captures of one caller that draw at once. */
const PER_CALLER = 2;
/** Captures for each browser, drawing and waiting. */
const ENTRIES_PER_BROWSER = 5;
/** Idle browsers to keep while nothing waits. Each costs as much as one that draws. */
const IDLE = 1;

export class BrowserPool {
  readonly #queue: FairQueue;
  readonly #launchMs: number;
  readonly #entries = new Map<number, QueueEntry>();
  readonly #idle: BrowserSession[] = [];
  #tickets = 0;
  #nextLaunch = 0;

  /**
   * @param browsers how many draw at the same time
   * @param launchMs the least time between two launches
   */
  constructor(browsers: number, launchMs: number) {
    const entries = browsers * ENTRIES_PER_BROWSER;
    this.#queue = new FairQueue({ units: browsers, perCaller: PER_CALLER, entries });
    this.#launchMs = launchMs;
  }

  load(): { running: number; waiting: number; idle: number } {
    return { ...this.#queue.load(), idle: this.#idle.length };
  }

  /** The ticket of a new capture, or null if too many wait. */
  enter(caller: string, now: number): number | null {
    const entry = this.#queue.enter(caller, now);
    if (!entry) return null;
    this.#tickets += 1;
    this.#entries.set(this.#tickets, entry);
    return this.#tickets;
  }

  /** What the ticket's capture does next. One that waits must ask repeatedly. */
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

  /** Ends a capture. Returns whether the pool keeps its browser; if not, it must be closed. */
  leave(ticket: number, session?: BrowserSession): boolean {
    const entry = this.#entries.get(ticket);
    if (entry) this.#queue.leave(entry);
    this.#entries.delete(ticket);
    if (!session || this.#idle.length >= Math.max(IDLE, this.#queue.load().waiting)) return false;
    this.#idle.push(session);
    return true;
  }

  /** Removes a browser that has been idle since this release; false if a capture has used it since. */
  takeIdle({ id, captures }: BrowserSession): boolean {
    const index = this.#idle.findIndex((idle) => idle.id === id && idle.captures === captures);
    if (index >= 0) this.#idle.splice(index, 1);
    return index >= 0;
  }
}
