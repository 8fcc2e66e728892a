/** Simulates a fleet of media workers, and isolates of the Worker that call it through the real routing. */
import { type SendToMedia, toFleet } from '../../src/adapters/media-fleet.ts';
import { MediaRouting } from '../../src/adapters/media-routing.ts';
import { ToolError } from '../../src/core/errors.ts';
import type { Region } from '../../src/core/regions.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { SimulatedInstance } from './simulated-instance.ts';

export interface Answered {
  /** The simulated time at which the call was made, in milliseconds. */
  at: number;
  status: number;
  durationMs: number;
  retryAfter: number | undefined;
}

/** A simulated fleet and its isolates. Each isolate has a separate view of the fleet. */
export class Simulation {
  readonly clock: SimulatedClock;
  readonly instances: SimulatedInstance[];
  readonly #isolates: SendToMedia[];

  /** Distributes the instances over the regions. The first region is the nearest. */
  constructor({
    instances = 5,
    isolates = 1,
    state = 'up' as 'up' | 'asleep',
    seed = 1,
    regions = [undefined] as (Region | undefined)[],
  } = {}) {
    this.clock = new SimulatedClock(seed);
    this.instances = Array.from(
      { length: instances },
      () => new SimulatedInstance(this.clock, state),
    );
    const pools = regions.map((region, index) => ({
      region,
      instances: this.instances
        .filter((_, number) => number % regions.length === index)
        .map(({ send }) => send),
    }));
    this.#isolates = Array.from({ length: isolates }, () =>
      toFleet(new MediaRouting(pools), this.clock),
    );
  }

  async call(durationMs: number): Promise<Answered> {
    const at = this.clock.now();
    const isolate = this.#isolates[Math.floor(this.clock.random() * this.#isolates.length)]!;
    const { status, retryAfter } = await isolate(`/operations/${durationMs}`, {
      method: 'POST',
      signal: new AbortController().signal,
    }).then(
      ({ status }) => ({ status, retryAfter: status === 503 ? 5 : undefined }),
      // MediaClient turns any error other than a response into a 503.
      (error) => ({
        status: 503,
        retryAfter: error instanceof ToolError ? error.retryAfter : 5,
      }),
    );
    return { at, status, durationMs: this.clock.now() - at, retryAfter };
  }

  /** Makes calls at random intervals, and returns all responses. */
  async load({ calls = 500, everyMs = 200, meanMs = 800 } = {}): Promise<Answered[]> {
    const made: Promise<Answered>[] = [];
    for (let call = 0; call < calls; call += 1) {
      await this.clock.wait(this.#exponential(everyMs));
      made.push(this.call(Math.round(this.#exponential(meanMs))));
    }
    return Promise.all(made);
  }

  /** Advances the clock until both promises are settled. */
  async run<T>(work: Promise<T>, beside: Promise<unknown> = Promise.resolve()): Promise<T> {
    const [answers] = await this.clock.runUntil(Promise.all([work, beside]));
    return answers;
  }

  #exponential(mean: number): number {
    return -Math.log(1 - this.clock.random()) * mean;
  }

  after(ms: number, happen: () => void): void {
    this.clock.at(this.clock.now() + ms, happen);
  }
}
