/** Limits how many small requests workerd computes at a time, so that no burst delays other networks (ADR 92). */

/** More requests at a time do not raise the throughput of workerd, which runs on one core. */
const SLOTS = 32;
/** If nothing starts for so long, one more request does. */
const STALL_MS = 250;

interface SmallRequest {
  network: string;
  run: () => void;
  /** Its number among all starts; 0 while it waits. */
  rank: number;
}

/** A request's slot, or its wait for one. */
export interface FairStart {
  /** Releases the slot, because the answer begins. */
  answered(): void;
  /** Releases the slot or ends the wait, because the client has left. */
  left(): void;
}

/**
 * The networks alternate: each has one waiting request started before any has a second one started. A request that
 * waits for a program, a page or a model keeps no slot. workerd computes about in the order of the starts, so a
 * request waits if one that started more than `SLOTS` later is answered. Its age would not show it: on a busy machine
 * a burst of searches computes for many seconds.
 */
export class FairStarts {
  /** In the order of their start. */
  readonly #running = new Set<SmallRequest>();
  /** By network; the network that is next comes first. */
  readonly #waiting = new Map<string, Set<SmallRequest>>();
  #starts = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `run` when a slot is free for the request, which may be at once. */
  enter(network: string, run: () => void): FairStart {
    const request = { network, run, rank: 0 };
    const ofNetwork = this.#waiting.get(network) ?? new Set();
    this.#waiting.set(network, ofNetwork.add(request));
    this.#startWaiting();
    return {
      answered: () => {
        for (const earlier of this.#running) {
          if (earlier.rank >= request.rank - SLOTS) break;
          this.#running.delete(earlier);
        }
        this.#release(request);
      },
      left: () => this.#release(request),
    };
  }

  #release(request: SmallRequest): void {
    const ofNetwork = this.#waiting.get(request.network);
    if (ofNetwork?.delete(request) && ofNetwork.size === 0) this.#waiting.delete(request.network);
    this.#running.delete(request);
    this.#startWaiting();
  }

  #startWaiting(): void {
    while (this.#waiting.size > 0 && this.#running.size < SLOTS) this.#startNext();
    if (this.#waiting.size === 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else {
      this.#timer ??= setTimeout(() => this.#endStall(), STALL_MS);
    }
  }

  #startNext(): void {
    const [network, requests] = this.#waiting.entries().next().value!;
    this.#waiting.delete(network);
    // Setting a network again moves it to the end.
    if (requests.size > 1) this.#waiting.set(network, requests);
    const request = requests.values().next().value!;
    requests.delete(request);
    request.rank = ++this.#starts;
    this.#running.add(request);
    this.#timer?.refresh();
    request.run();
  }

  /** The oldest request no longer counts, so that requests that all wait do not keep others from starting. */
  #endStall(): void {
    this.#timer = undefined;
    this.#running.delete(this.#running.values().next().value!);
    this.#startWaiting();
  }
}
