/**
 * Simulates a media worker on a simulated clock. It responds like the real one, and can crash, hang, slow down, start
 * cold and be replaced by a rollout.
 */
import type { SendToInstance } from '../../src/adapters/media-fleet.ts';
import { MEDIA_HEADERS, writeLoad } from '../../src/core/media-headers.ts';
import type { SimulatedClock } from './simulated-clock.ts';
import { Rate } from './storm-report.ts';

const CORES = 2;
/** The size of the queue, as in `containers/media/queues.ts`. */
const WAITING = 4 * CORES;
const LATENCY_MS = 5;
/** The time limit for a start, in milliseconds. The platform cancels a start that takes longer. */
const START_LIMIT_MS = 28_000;

type State = 'asleep' | 'up' | 'dead' | 'hung' | 'ending';

interface Work {
  durationMs: number;
  isRunning: boolean;
  resolve(response: Response): void;
  reject(error: unknown): void;
  cancel(): void;
}

export class SimulatedInstance {
  /** The speed relative to one core. Calls take ten times as long at a speed of 0.1. */
  speed = 1;
  startMs = 3000;
  starts = 0;
  readonly taken: Rate;
  /** The largest number of calls that waited for a core at the same time. */
  mostWaiting = 0;
  readonly #clock: SimulatedClock;
  #state: State;
  #starting: Promise<void> | undefined;
  readonly #inside = new Set<Work>();

  constructor(clock: SimulatedClock, state: 'asleep' | 'up' = 'up') {
    this.#clock = clock;
    this.#state = state;
    this.taken = new Rate(() => clock.now());
  }

  get isHealthy(): boolean {
    return this.#state === 'up' || this.#state === 'asleep';
  }

  /** The number of running and waiting calls. */
  get load(): number {
    return this.#inside.size;
  }

  /** Handles a request. The path contains the duration of the call in milliseconds: `/operations/250`. */
  readonly send: SendToInstance = (path, { signal, headers }) =>
    new Promise((resolve, reject) => {
      const abort = () => reject(signal?.reason);
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort);
      this.#arrive(path, signal ?? undefined, new Headers(headers)).then(resolve, reject);
    });

  /** Aborts all calls, and refuses new connections. */
  die(): void {
    this.#state = 'dead';
    this.#cutAll();
  }

  /** Accepts connections but never responds. */
  hang(): void {
    this.#state = 'hung';
    for (const work of this.#inside) work.cancel();
  }

  /** Kills the instance in any state and starts it again. */
  revive(): void {
    this.#cutAll();
    this.#state = 'up';
  }

  /**
   * Simulates a rollout. The instance has `drainMs` to finish its calls and then stops. The next call starts the new
   * version.
   */
  async replace(drainMs: number): Promise<void> {
    this.#state = 'ending';
    const end = this.#clock.now() + drainMs;
    while (this.load > 0 && this.#clock.now() < end) await this.#clock.wait(100);
    this.#cutAll();
    this.#state = 'asleep';
  }

  async #arrive(
    path: string,
    signal: AbortSignal | undefined,
    headers: Headers,
  ): Promise<Response> {
    await this.#clock.wait(LATENCY_MS);
    if (this.#state === 'asleep') {
      // The Durable Object responds in place of its container while the container is not running.
      if (path === '/live') return new Response();
      await this.#started();
    }
    if (this.#state === 'dead') throw new Error('connection refused');
    // The call waits until the instance is killed.
    if (this.#state === 'hung') return this.#work(Number.POSITIVE_INFINITY, signal);
    if (path === '/live') return this.#answer(200);
    if (this.#state === 'ending') return this.#answer(503, 'ending');
    if (path === '/ready') return this.#answer(200);
    if (this.load >= CORES + WAITING) return this.#answer(503, 'busy');
    const expected = headers.get(MEDIA_HEADERS.expected);
    if (expected && this.load >= CORES && this.load > Number(expected)) {
      return this.#answer(503, 'busier');
    }
    this.taken.count();
    this.mostWaiting = Math.max(this.mostWaiting, this.load + 1 - CORES);
    return this.#work(Number(path.split('/').pop()), signal);
  }

  async #started(): Promise<void> {
    if (!this.#starting) {
      this.starts += 1;
      this.#starting = this.#clock.wait(this.startMs).then(() => {
        this.#starting = undefined;
        if (this.#state === 'asleep') this.#state = 'up';
      });
    }
    const over = new AbortController();
    const late = this.#clock.wait(START_LIMIT_MS, over.signal).then(() => {
      throw new Error('the Container did not start');
    });
    await Promise.race([this.#starting, late]).finally(() => over.abort());
  }

  #work(durationMs: number, signal: AbortSignal | undefined): Promise<Response> {
    return new Promise((resolve, reject) => {
      const cancel = () => {};
      const work: Work = { durationMs, isRunning: false, resolve, reject, cancel };
      this.#inside.add(work);
      // The real media worker also aborts a call whose caller has disconnected.
      signal?.addEventListener('abort', () => {
        work.cancel();
        this.#inside.delete(work);
        this.#runNext();
      });
      this.#runNext();
    });
  }

  #runNext(): void {
    const running = [...this.#inside].filter(({ isRunning }) => isRunning).length;
    const next = [...this.#inside].find(({ isRunning }) => !isRunning);
    if (!next || running >= CORES || !['up', 'ending'].includes(this.#state)) return;
    next.isRunning = true;
    next.cancel = this.#clock.at(this.#clock.now() + next.durationMs / this.speed, () => {
      this.#inside.delete(next);
      next.resolve(this.#answer(200));
      this.#runNext();
    });
    this.#runNext();
  }

  #cutAll(): void {
    for (const work of this.#inside) {
      work.cancel();
      work.reject(new Error('connection reset'));
    }
    this.#inside.clear();
  }

  #answer(status: number, refused?: string): Response {
    const headers = new Headers({ [MEDIA_HEADERS.load]: writeLoad(this.load, CORES) });
    if (refused) headers.set(MEDIA_HEADERS.refused, refused);
    return new Response(null, { status, headers });
  }
}
