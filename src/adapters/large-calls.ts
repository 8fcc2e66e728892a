/**
 * Limits the memory and the CPU time that all large JSON calls use together (ADR 49). The memory limit applies to their
 * request and response bodies.
 */
import type { Caller } from '../core/caller.ts';
import { ToolError } from '../core/errors.ts';
import { type LargeCall, SMALL_JSON_BYTES } from '../core/large-call.ts';
import { MB } from '../core/limits.ts';
import { isJsonType, mediaTypeOf } from '../lib/body.ts';
import { ownerOf } from './caller-owner.ts';
import { FairQueue, type QueueEntry } from './fair-queue.ts';

/**
 * The limits on the bytes of request and response bodies that an isolate holds at the same time. On Cloudflare, an
 * isolate has 128 MB of memory.
 */
const MEMORY = { units: 32 * MB, perCaller: 16 * MB, entries: 64 };
/** The limits for the CPU. Only one call computes at a time. */
const CPU = { units: 1, perCaller: 1, entries: 64, lostMs: 20_000 };
const MAX_WAIT_MS = 60_000;
const RETRY_SECONDS = 10;
const LOOK_AGAIN_MS = 20;
/**
 * How long a large call pauses for small requests, in milliseconds. A small request takes several turns of the event
 * loop.
 */
const GAP_MS = 5;

const PACE_CHECK_MS = 500;

/** The minimum transfer rate of a body while other calls wait for its memory. */
interface Pace {
  graceMs: number;
  bytesPerSecond: number;
}

const PACE: Pace = { graceMs: 2000, bytesPerSecond: 512 * 1024 };

interface RequestShare extends LargeCall {
  /**
   * Releases the CPU immediately, and the memory after the response is sent. A large response must have a
   * Content-Length.
   */
  answer(response: Response): Response;
}

export class LargeCalls {
  readonly #memory = new FairQueue(MEMORY);
  /** The queue for the CPU. A caller's calls do not start while the caller's unread responses exceed their limit. */
  readonly #cpu = new FairQueue(CPU, (caller) => this.#memory.isOver(caller));
  readonly #pace: Pace;

  constructor(pace = PACE) {
    this.#pace = pace;
  }

  /**
   * Creates one request's share. It is empty until one of its methods is called. `signal` returns a signal that aborts
   * when the response is no longer needed.
   */
  of(caller: Caller, signal: () => AbortSignal): RequestShare {
    return new Call({ memory: this.#memory, cpu: this.#cpu, pace: this.#pace }, caller, signal);
  }

  /** Returns the numbers of calls that are computing and waiting to compute. */
  load() {
    return this.#cpu.load();
  }
}

interface Shared {
  memory: FairQueue;
  cpu: FairQueue;
  pace: Pace;
}

class Call implements RequestShare {
  readonly #memory: FairQueue;
  readonly #cpu: FairQueue;
  readonly #pace: Pace;
  readonly #caller: Caller;
  readonly #makeSignal: () => AbortSignal;
  #signal: AbortSignal | undefined;
  #held: QueueEntry | undefined;
  #round: QueueEntry | undefined;

  constructor({ memory, cpu, pace }: Shared, caller: Caller, signal: () => AbortSignal) {
    this.#memory = memory;
    this.#cpu = cpu;
    this.#pace = pace;
    this.#caller = caller;
    this.#makeSignal = signal;
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  async reserve(bytes: number): Promise<void> {
    if (this.#held) this.#held.units = Math.max(this.#held.units, bytes);
    else this.#held = await this.#enter(this.#memory, bytes);
  }

  async receive<T>(bytes: number, read: () => Promise<T>): Promise<T> {
    await this.reserve(bytes);
    const reading = read();
    return Promise.race([reading, this.#overdue(bytes, reading)]);
  }

  async begin(bytes = SMALL_JSON_BYTES): Promise<void> {
    await this.reserve(bytes);
    if (!this.#round) {
      this.#round = await this.#enter(this.#cpu, 1);
      return;
    }
    await scheduler.wait(GAP_MS);
    if (this.#round) this.#round.requested = Date.now();
  }

  pause(): void {
    if (this.#round) this.#cpu.leave(this.#round);
    this.#round = undefined;
  }

  end(): void {
    this.pause();
    if (this.#held) this.#memory.leave(this.#held);
    this.#held = undefined;
  }

  answer(response: Response): Response {
    const size = Number(response.headers.get('Content-Length'));
    const type = mediaTypeOf(response.headers.get('Content-Type'));
    if (!this.#held || !response.body || !isJsonType(type) || size <= SMALL_JSON_BYTES) {
      this.end();
      return response;
    }
    this.#held.units = size;
    this.pause();
    const { readable, writable } = new FixedLengthStream(size);
    const slow = new AbortController();
    const sending = response.body.pipeTo(writable, { signal: slow.signal });
    Promise.race([sending, this.#overdue(size, sending)])
      .catch((error) => slow.abort(error))
      .finally(() => this.end());
    return new Response(readable, response);
  }

  /** Waits in a queue. Polls, because another request's promise may never settle. */
  async #enter(queue: FairQueue, units: number): Promise<QueueEntry> {
    this.#signal ??= this.#listen();
    const most = queue === this.#memory ? MEMORY.perCaller : CPU.perCaller;
    const entry = queue.enter(ownerOf(this.#caller).id, Date.now(), Math.min(units, most));
    if (!entry) throw busy();
    try {
      const end = Date.now() + MAX_WAIT_MS;
      while (!this.#start(queue, entry)) {
        if (entry.state === 'displaced' || Date.now() > end) throw busy();
        await scheduler.wait(LOOK_AGAIN_MS, { signal: this.#signal });
      }
      this.#signal.throwIfAborted();
      return entry;
    } catch (error) {
      queue.leave(entry);
      throw error;
    }
  }

  /** Starts the entry if it is next. No call starts to compute while unread responses exceed the memory limit. */
  #start(queue: FairQueue, entry: QueueEntry): boolean {
    const now = Date.now();
    entry.requested = now;
    return !(queue === this.#cpu && this.#memory.isOver()) && queue.start(entry, now);
  }

  #listen(): AbortSignal {
    const signal = this.#makeSignal();
    // Code after the next I/O of a cancelled request may never run, so the abort handler calls `end`.
    signal.addEventListener('abort', () => this.end(), { once: true });
    return signal;
  }

  /**
   * Throws if the transfer is too slow while other calls wait for the memory of its body. Returns when the transfer
   * ends.
   */
  async #overdue(bytes: number, transfer: Promise<unknown>): Promise<never> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    transfer.then(done, done);
    const { graceMs, bytesPerSecond } = this.#pace;
    const deadline = Date.now() + graceMs + (bytes / bytesPerSecond) * 1000;
    while (!isDone) {
      await scheduler.wait(PACE_CHECK_MS);
      const now = Date.now();
      if (!isDone && now > deadline && this.#isNeeded(now)) throw busy();
    }
    return transfer as Promise<never>;
  }

  /** Whether another call is waiting for memory, or is waiting to compute until memory is released. */
  #isNeeded(now: number): boolean {
    return this.#memory.isContended(now) || (this.#memory.isOver() && this.#cpu.isContended(now));
  }
}

const busy = () =>
  new ToolError(
    'internal',
    `Too many large calls are running. Try again in ${RETRY_SECONDS} seconds.`,
    { status: 503, retryAfter: RETRY_SECONDS, isBusy: true },
  );
