/**
 * Limits the number of small requests that workerd processes concurrently, so that a burst does not delay other
 * networks (ADR 92).
 */

/** The limit is low, because workerd runs on one core and more concurrent requests do not raise its throughput. */
const SLOTS = 32;
/** If no request has started for this many milliseconds, one more request may start. */
const STALL_MS = 250;

interface SmallRequest {
  network: string;
  run: () => void;
  /** The request's position in the start order, counted from 1, or 0 while the request is waiting. */
  rank: number;
}

/** A request that holds a slot or is waiting for one. */
export interface FairStart {
  /** Releases the slot. Call this when the response begins. */
  responded(): void;
  /** Releases the slot or leaves the queue. Call this when the exchange has ended, possibly without a response. */
  end(): void;
}

/**
 * Starts one request from each waiting network in turn. A request must not hold a slot while it is waiting for a
 * subprocess, a web page or a model. workerd processes requests roughly in the order in which they start. A request is
 * therefore assumed to be waiting once a request that started more than `SLOTS` positions after it gets its response. A
 * time limit would not work, because a burst of searches takes many seconds of CPU time on a busy machine.
 */
export class FairStarts {
  /** The started requests, in order of start. */
  readonly #running = new Set<SmallRequest>();
  /** The waiting requests by network, in the order in which the networks get the next slot. */
  readonly #waiting = new Map<string, Set<SmallRequest>>();
  /** The networks that have not received a slot since they started waiting, oldest first. */
  readonly #fresh = new Set<string>();
  #starts = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `run` when the request gets a slot. That may happen before this method returns. */
  enter(network: string, run: () => void): FairStart {
    const request = { network, run, rank: 0 };
    const ofNetwork = this.#waiting.get(network) ?? new Set();
    if (ofNetwork.size === 0) this.#fresh.add(network);
    this.#waiting.set(network, ofNetwork.add(request));
    this.#startWaiting();
    return {
      responded: () => {
        for (const earlier of this.#running) {
          if (earlier.rank >= request.rank - SLOTS) break;
          this.#running.delete(earlier);
        }
        this.#release(request);
      },
      end: () => this.#release(request),
    };
  }

  #release(request: SmallRequest): void {
    const ofNetwork = this.#waiting.get(request.network);
    if (ofNetwork?.delete(request) && ofNetwork.size === 0) {
      this.#waiting.delete(request.network);
      this.#fresh.delete(request.network);
    }
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
    const network = this.#nextNetwork();
    const requests = this.#waiting.get(network)!;
    this.#waiting.delete(network);
    this.#fresh.delete(network);
    // Re-inserting the network moves it to the end.
    if (requests.size > 1) this.#waiting.set(network, requests);
    const request = requests.values().next().value!;
    requests.delete(request);
    request.rank = ++this.#starts;
    this.#running.add(request);
    this.#timer?.refresh();
    request.run();
  }

  /**
   * Gives every other start to the newest network. In an attack from many networks, new callers would otherwise wait
   * behind the attacker's networks, which have been waiting longest.
   */
  #nextNetwork(): string {
    const newest = this.#starts % 2 === 0 ? undefined : [...this.#fresh].at(-1);
    return newest ?? this.#waiting.keys().next().value!;
  }

  /**
   * Frees the slot of the oldest request. Requests that are waiting for a subprocess, a web page or a model could
   * otherwise occupy all slots.
   */
  #endStall(): void {
    this.#timer = undefined;
    this.#running.delete(this.#running.values().next().value!);
    this.#startWaiting();
  }
}
