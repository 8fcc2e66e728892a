/**
 * Implements a bounded queue for one kind of work. Some calls run, some wait, and further calls are rejected. Calls
 * from different callers alternate. A caller that has exceeded its CPU budget for the last minute waits behind all
 * others (ADR 48).
 */
import { type CallerBudget, CPU_LEDGER, type CpuLedger } from './cpu-ledger.ts';
import { refused } from './refused.ts';

/**
 * The default for the maximum time that a call waits, in milliseconds. It is long enough for most calls ahead of it to
 * finish, and short enough that the caller is still connected.
 */
const LONGEST_WAIT_MS = 30_000;

export interface Ticket {
  /** Resolves when the call may run. Rejects with the signal's reason, or with 503 after the maximum wait. */
  acquire(signal: AbortSignal): Promise<void>;
  /** Leaves the queue and releases the slot. Call this exactly once. */
  leave(): void;
}

/** One caller's calls in this queue. */
interface Share {
  budget: CallerBudget | undefined;
  inside: number;
  running: number;
  /** The round of the caller's most recent call. */
  round: number;
}

interface Waiting {
  share: Share;
  round: number;
  start(): void;
}

export class WorkQueue {
  private readonly concurrency: number;
  private readonly waitingLimit: number;
  private readonly retryAfterSeconds: number;
  private readonly longestWaitMs: number;
  private readonly ledger: CpuLedger;
  private inside = 0;
  private running = 0;
  /** The highest round of all started calls. Each call gets a later round than its caller's previous call. */
  private round = 0;
  private readonly shares = new Map<string, Share>();
  private readonly waiting: Waiting[] = [];

  constructor(
    concurrency: number,
    waitingLimit: number,
    retryAfterSeconds = 5,
    longestWaitMs = LONGEST_WAIT_MS,
    ledger = CPU_LEDGER,
  ) {
    this.concurrency = concurrency;
    this.waitingLimit = waitingLimit;
    this.retryAfterSeconds = retryAfterSeconds;
    this.longestWaitMs = longestWaitMs;
    this.ledger = ledger;
  }

  /** Returns the numbers of running and waiting calls, and the queue's limits. */
  load() {
    const { running, inside, concurrency, waitingLimit } = this;
    return { running, waiting: inside - running, concurrency, waitingLimit };
  }

  /**
   * Enters the queue. A caller's share of running and waiting calls is limited to the concurrency plus half of the
   * waiting slots. Calls without a caller may occupy all slots. Throws ToolError 503 if the queue or the caller's share
   * is full.
   */
  enter(caller?: CallerBudget): Ticket {
    const share = this.shareOf(caller);
    const mostOfCaller = this.concurrency + Math.ceil(this.waitingLimit / 2);
    const isFull = this.inside >= this.concurrency + this.waitingLimit;
    if (isFull || (caller && share.inside >= mostOfCaller)) throw this.busy();
    this.inside += 1;
    share.inside += 1;
    if (caller) this.shares.set(caller.key, share);
    let started = false;
    return {
      acquire: async (signal) => {
        await this.acquire(share, signal);
        started = true;
      },
      leave: () => {
        this.inside -= 1;
        share.inside -= 1;
        if (caller && share.inside === 0) this.shares.delete(caller.key);
        if (!started) return;
        this.running -= 1;
        share.running -= 1;
        this.startNext();
      },
    };
  }

  private shareOf(budget: CallerBudget | undefined): Share {
    const known = budget && this.shares.get(budget.key);
    return known ?? { budget, inside: 0, running: 0, round: 0 };
  }

  private busy() {
    return refused(
      'busy',
      `The media worker is busy. Try again in ${this.retryAfterSeconds} seconds.`,
      this.retryAfterSeconds,
    );
  }

  private acquire(share: Share, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    share.round = Math.max(share.round, this.round) + 1;
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
      };
      const abandon = (reason: unknown) => {
        end();
        reject(reason);
      };
      const onAbort = () => abandon(signal.reason);
      const timer = setTimeout(() => abandon(this.busy()), this.longestWaitMs);
      const start = () => {
        end();
        resolve();
      };
      const waiting = { share, round: share.round, start };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(waiting);
      this.startNext();
    });
  }

  private startNext(): void {
    while (this.running < this.concurrency) {
      const next = this.next();
      if (!next) return;
      this.round = Math.max(this.round, next.round);
      this.running += 1;
      next.share.running += 1;
      next.start();
    }
  }

  /** Returns the next waiting call. Callers within their budget take precedence over callers that have exceeded it. */
  private next(): Waiting | undefined {
    const within = this.waiting.filter(({ share }) => !this.isOver(share));
    return first(within) ?? first(this.waiting.filter(({ share }) => this.mayRunOver(share)));
  }

  private isOver({ budget }: Share): boolean {
    return budget !== undefined && this.ledger.isOver(budget);
  }

  /**
   * Whether a caller over its budget may run a call. It may run one call at a time, and all such callers together leave
   * one of several slots free. If there are no other callers, it may run any number.
   */
  private mayRunOver({ budget, running }: Share): boolean {
    if (!budget) return true;
    const isAlone = this.shares.size === 1 && !this.ledger.hasOthers(budget.key);
    if (isAlone) return true;
    const shares = [...this.shares.values()].filter((share) => this.isOver(share));
    const runningOver = shares.reduce((sum, share) => sum + share.running, 0);
    return running === 0 && runningOver < Math.max(1, this.concurrency - 1);
  }
}

/**
 * Returns the waiting call whose caller has the fewest running calls. If there are several, returns the one with the
 * lowest round.
 */
function first(waiting: readonly Waiting[]): Waiting | undefined {
  return waiting.reduce<Waiting | undefined>((best, next) => {
    if (!best) return next;
    const difference = next.share.running - best.share.running || next.round - best.round;
    return difference < 0 ? next : best;
  }, undefined);
}
