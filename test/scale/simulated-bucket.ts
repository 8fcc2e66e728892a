/** Simulates R2 on a simulated clock, with the operations that a result cache needs. */
import type { SimulatedClock } from './simulated-clock.ts';
import { Rate } from './storm-report.ts';

export class SimulatedBucket {
  readonly reads: Rate;
  readonly writes: Rate;
  readonly #clock: SimulatedClock;
  readonly #objects = new Map<string, { bytes: Uint8Array; customMetadata: object }>();

  constructor(clock: SimulatedClock) {
    this.#clock = clock;
    this.reads = new Rate(() => clock.now());
    this.writes = new Rate(() => clock.now());
  }

  async get(key: string) {
    this.reads.count();
    await this.#clock.wait(30);
    const object = this.#objects.get(key);
    return object ? { ...object, arrayBuffer: async () => object.bytes.slice().buffer } : null;
  }

  async put(key: string, bytes: Uint8Array, { customMetadata }: { customMetadata: object }) {
    this.writes.count();
    await this.#clock.wait(50);
    this.#objects.set(key, { bytes, customMetadata });
    return {};
  }
}
