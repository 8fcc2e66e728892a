/** A bounded queue for one kind of work: some run, some wait, the next one is refused at once. */
import { unavailable } from '../../src/core/errors.ts';

/** Long enough for what is in front, short enough that the caller is still there. */
const LONGEST_WAIT_MS = 30_000;

export interface Ticket {
  /** Resolves when it is this one's turn; rejects with the signal's reason when aborted before, with 503 after long. */
  turn(signal: AbortSignal): Promise<void>;
  /** Gives the place to the next one. To be called once, whatever happened. */
  leave(): void;
}

export class WorkQueue {
  private readonly concurrency: number;
  private readonly waitingLimit: number;
  private readonly retryAfterSeconds: number;
  private readonly longestWaitMs: number;
  private inside = 0;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    concurrency: number,
    waitingLimit: number,
    retryAfterSeconds = 5,
    longestWaitMs = LONGEST_WAIT_MS,
  ) {
    this.concurrency = concurrency;
    this.waitingLimit = waitingLimit;
    this.retryAfterSeconds = retryAfterSeconds;
    this.longestWaitMs = longestWaitMs;
  }

  /** How many run and wait now, and how many may. */
  load() {
    const { running, inside, concurrency, waitingLimit } = this;
    return { running, waiting: inside - running, concurrency, waitingLimit };
  }

  /** A place in the queue. Throws ToolError 503 where none is left. */
  enter(): Ticket {
    if (this.inside >= this.concurrency + this.waitingLimit) {
      throw this.busy();
    }
    this.inside += 1;
    let started = false;
    return {
      turn: async (signal) => {
        await this.turn(signal);
        started = true;
      },
      leave: () => {
        this.inside -= 1;
        if (started) this.release();
      },
    };
  }

  private busy() {
    return unavailable(
      `The media worker is busy. Try again in ${this.retryAfterSeconds} seconds.`,
      this.retryAfterSeconds,
    );
  }

  private release(): void {
    const next = this.waiting.shift();
    // The place goes over to the next one without becoming free in between.
    if (next) next();
    else this.running -= 1;
  }

  private turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.running < this.concurrency) {
      this.running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const giveUp = (reason: unknown) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.waiting.splice(this.waiting.indexOf(start), 1);
        reject(reason);
      };
      const onAbort = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(this.busy()), this.longestWaitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(start);
    });
  }
}
