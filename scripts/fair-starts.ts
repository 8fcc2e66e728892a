/** Limits how many small requests workerd computes at a time, so that no burst delays other networks (ADR 91). */

/** More requests at a time do not raise the throughput of workerd, which runs on one core. */
const SLOTS = 32;
/** A request that takes longer mostly waits for something else, so it no longer counts. */
const LONGEST_SLOT_MS = 1000;

interface SmallRequest {
  network: string;
  run: () => void;
  startedAt: number;
}

/** The networks alternate: each has one waiting request started before any has a second one started. */
export class FairStarts {
  /** In the order of their start. */
  readonly #running = new Set<SmallRequest>();
  /** By network; the network that is next comes first. */
  readonly #waiting = new Map<string, Set<SmallRequest>>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * Calls `run` when a slot is free for the request, which may be at once. The returned function releases the slot, or
   * ends the wait for it.
   */
  enter(network: string, run: () => void): () => void {
    const request = { network, run, startedAt: 0 };
    const ofNetwork = this.#waiting.get(network) ?? new Set();
    this.#waiting.set(network, ofNetwork.add(request));
    this.#startNext();
    return () => {
      if (this.#running.delete(request)) this.#startNext();
      else this.#remove(request);
    };
  }

  #remove(request: SmallRequest): void {
    const ofNetwork = this.#waiting.get(request.network);
    if (ofNetwork?.delete(request) && ofNetwork.size === 0) this.#waiting.delete(request.network);
  }

  #startNext(): void {
    // Setting a network again moves it to the end, and the loop visits it again.
    for (const [network, requests] of this.#waiting) {
      if (!this.#isFree()) return;
      this.#waiting.delete(network);
      if (requests.size > 1) this.#waiting.set(network, requests);
      const request = requests.values().next().value!;
      requests.delete(request);
      request.startedAt = performance.now();
      this.#running.add(request);
      request.run();
    }
  }

  /** Whether another request may start. If not, the next ones start once the oldest one has had its time. */
  #isFree(): boolean {
    if (this.#running.size < SLOTS) return true;
    const oldest = this.#running.values().next().value!;
    const left = oldest.startedAt + LONGEST_SLOT_MS - performance.now();
    if (left <= 0) return this.#running.delete(oldest);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#startNext();
    }, left);
    return false;
  }
}
