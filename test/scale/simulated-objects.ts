/**
 * Simulates the rate limiter's Durable Objects on a simulated clock. Runs the real class with storage that counts
 * billed operations.
 */
import { SubjectLimiter } from '../../src/access/rate-limiter.ts';
import type { Counters } from '../../src/core/counters.ts';
import type { UsageEntry } from '../../src/core/usage-store.ts';
import type { SimulatedClock } from './simulated-clock.ts';

/** The time without requests, in milliseconds, after which the platform evicts an object from memory. */
const IDLE_MS = 10_000;

interface Simulated {
  limiter: SubjectLimiter;
  lastRequest: number;
  /** The number of requests in each second of the simulated clock. */
  requests: Map<number, number>;
}

export class SimulatedObjects {
  rowsWritten = 0;
  alarms = 0;
  readonly usage: UsageEntry[] = [];
  readonly #clock: SimulatedClock;
  readonly #storage = new Map<string, unknown>();
  readonly #live = new Map<string, Simulated>();
  readonly #cancelAlarm = new Map<string, () => void>();

  constructor(clock: SimulatedClock) {
    this.#clock = clock;
  }

  readonly of = (subject: string): Counters => {
    const call = async <T>(run: (limiter: SubjectLimiter) => T | Promise<T>): Promise<T> =>
      run(this.#request(subject));
    return {
      take: (...given) => call((limiter) => limiter.take(...given)),
      release: (...given) => call((limiter) => limiter.release(...given)),
      charge: (...given) => call((limiter) => limiter.charge(...given)),
      remainingQuotas: (...given) => call((limiter) => limiter.remainingQuotas(...given)),
      forgetKey: () => call((limiter) => limiter.forgetKey()),
      pendingUsage: () => call((limiter) => limiter.pendingUsage()),
    };
  };

  get subjects(): number {
    return this.#live.size;
  }

  /** The highest number of requests per second that any single object received. */
  get peakPerSecond(): number {
    let peak = 0;
    for (const { requests } of this.#live.values())
      for (const count of requests.values()) peak = Math.max(peak, count);
    return peak;
  }

  /** The highest number of requests per second that all objects together received. */
  get peakOfAll(): number {
    const sums = new Map<number, number>();
    for (const { requests } of this.#live.values())
      for (const [second, count] of requests) sums.set(second, (sums.get(second) ?? 0) + count);
    return Math.max(0, ...sums.values());
  }

  get requests(): number {
    let sum = 0;
    for (const { requests } of this.#live.values())
      for (const count of requests.values()) sum += count;
    return sum;
  }

  #request(subject: string): SubjectLimiter {
    const object = this.#awake(subject);
    const second = Math.floor(this.#clock.now() / 1000);
    object.requests.set(second, (object.requests.get(second) ?? 0) + 1);
    return object.limiter;
  }

  /** Returns the object. Creates a new instance if the previous one was evicted. */
  #awake(subject: string): Simulated {
    const now = this.#clock.now();
    const known = this.#live.get(subject);
    const isEvicted = !known || now - known.lastRequest > IDLE_MS;
    const object: Simulated = {
      limiter: isEvicted ? this.#instance(subject) : known.limiter,
      lastRequest: now,
      requests: known?.requests ?? new Map(),
    };
    this.#live.set(subject, object);
    return object;
  }

  #instance(subject: string): SubjectLimiter {
    const { usage } = this;
    const storage = {
      kv: { get: (key: string) => structuredClone(this.#storage.get(subject + key)) },
      put: async (key: string, value: unknown) => {
        this.rowsWritten += 1;
        this.#storage.set(subject + key, structuredClone(value));
      },
      setAlarm: async (at: number) => {
        this.rowsWritten += 1;
        this.#cancelAlarm.get(subject)?.();
        const ring = () => {
          this.alarms += 1;
          void this.#awake(subject).limiter.alarm();
        };
        this.#cancelAlarm.set(subject, this.#clock.at(at - START, ring));
      },
      deleteAll: async () => {
        this.#storage.delete(`${subject}counters`);
        this.#cancelAlarm.get(subject)?.();
      },
    };
    class Limiter extends SubjectLimiter {
      protected override async writeUsage(entries: readonly UsageEntry[]) {
        usage.push(...entries);
      }

      protected override async readKeyVersion() {
        return '1';
      }
    }
    return new Limiter({ storage } as never, {} as never);
  }
}

/** The value of `Date.now` at the start of the simulation. */
export const START = Date.UTC(2026, 10, 23, 12);
