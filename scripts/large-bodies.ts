/**
 * Limits the number of large request bodies that are forwarded concurrently, with a fair share for each network (ADR
 * 50).
 */

/** A request whose body is forwarded as it arrives. */
export interface LargeBody {
  /** Returns the mean transfer rate since the request began, in bytes per millisecond. `now` is in milliseconds. */
  meanRate(now: number): number;
  /** Aborts the request to free its slot. */
  yield(): void;
}

/**
 * Shares the slots equally among networks when all slots are taken. The network with the most slots loses its slowest
 * upload to a network with fewer slots. A network is refused only if no other network has at least two more slots.
 */
export class LargeBodies<Body extends LargeBody> {
  readonly #slots: number;
  readonly #networks = new Map<string, Set<Body>>();
  #taken = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Acquires a slot for the body, which holds it until `release`. Returns false if the network has used its share. */
  admit(network: string, body: Body): boolean {
    if (this.#taken >= this.#slots && !this.#takeFromLargest(network)) return false;
    const bodies = this.#networks.get(network) ?? new Set();
    this.#networks.set(network, bodies.add(body));
    this.#taken += 1;
    return true;
  }

  /** Releases the slot of the body. Does nothing if the body holds no slot. */
  release(network: string, body: Body): void {
    const bodies = this.#networks.get(network);
    if (!bodies?.delete(body)) return;
    this.#taken -= 1;
    if (bodies.size === 0) this.#networks.delete(network);
  }

  #takeFromLargest(network: string): boolean {
    let largest = '';
    for (const [name, { size }] of this.#networks) if (size > this.#share(largest)) largest = name;
    if (this.#share(largest) < this.#share(network) + 2) return false;
    const now = performance.now();
    let slowest: Body | undefined;
    for (const body of this.#networks.get(largest)!) {
      if (!slowest || body.meanRate(now) < slowest.meanRate(now)) slowest = body;
    }
    this.release(largest, slowest!);
    slowest!.yield();
    return true;
  }

  #share(network: string): number {
    return this.#networks.get(network)?.size ?? 0;
  }
}
