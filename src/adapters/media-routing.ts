/**
 * Chooses the media worker for each call based on the load and health that earlier responses reported. Makes no
 * requests itself. The time, random numbers and the caller's continent are parameters. Every isolate keeps separate
 * records (ADR 59).
 */
import { distance, type Region } from '../core/regions.ts';

/** The instances of one region. `region` is undefined if the region does not matter. */
export interface Pool<T> {
  region: Region | undefined;
  instances: readonly T[];
}

/** The load that an instance reports with each response. */
export interface Load {
  /** The number of other calls that are running or waiting on the instance. */
  calls: number;
  cores: number;
}

/**
 * How long an instance counts as unhealthy after a failure, in milliseconds. Each consecutive failure doubles this
 * time.
 */
const UNHEALTHY_MS = 30_000;
const LONGEST_UNHEALTHY_MS = 5 * 60_000;
/** How long a reported load is used, in milliseconds. After this time, only the calls of this isolate are counted. */
const LOAD_MS = 2000;
/** The time in milliseconds after which an idle Container sleeps (`sleepAfter`). */
const AWAKE_MS = 10 * 60_000;
/**
 * The longest duration of a call, in milliseconds. Older calls must have been cancelled without notice, so they are no
 * longer counted.
 */
const LONGEST_CALL_MS = 5 * 60_000;
/** The minimum time between two readiness checks of an unhealthy instance, in milliseconds. */
const RECHECK_MS = 1000;
/** The number of failures in one region after which a call is sent to another region. */
const FAILURES_OF_REGION = 2;
/**
 * The number of cores assumed for an instance until it reports its own. The `standard-3` instances in wrangler.toml
 * have this many.
 */
const CORES = 2;

/** A call that this isolate has sent to an instance. */
export interface RoutedCall {
  began: number;
  /** Whether the last reported load includes this call. */
  isReported: boolean;
}

/** The state of one instance. All times are in milliseconds and from the same clock. */
export class RoutedInstance<T> {
  readonly target: T;
  readonly #calls = new Set<RoutedCall>();
  #reported = { calls: 0, at: Number.NEGATIVE_INFINITY };
  #cores = CORES;
  #failures = 0;
  #unhealthyUntil = Number.NEGATIVE_INFINITY;
  #awakeUntil = Number.NEGATIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(target: T) {
    this.target = target;
  }

  get unhealthyUntil(): number {
    return this.#unhealthyUntil;
  }

  isUnhealthy(now: number): boolean {
    return now < this.#unhealthyUntil;
  }

  /** Whether the instance responded recently and is therefore awake. */
  isAwake(now: number): boolean {
    return now < this.#awakeUntil;
  }

  /** Returns the estimated number of calls per core. */
  load(now: number): number {
    return this.calls(now) / this.#cores;
  }

  /** Returns the estimated number of calls that are running or waiting on the instance. */
  calls(now: number): number {
    const isFresh = now - this.#reported.at < LOAD_MS;
    let calls = isFresh ? this.#reported.calls : 0;
    for (const call of this.#calls) {
      if (now - call.began >= LONGEST_CALL_MS) this.#calls.delete(call);
      else if (!isFresh || !call.isReported) calls += 1;
    }
    return calls;
  }

  /** Records that a call is being sent to the instance. */
  begin(now: number): RoutedCall {
    const call = { began: now, isReported: false };
    this.#calls.add(call);
    return call;
  }

  /** Records the end of a call, whether it succeeded or failed. */
  end(call: RoutedCall): void {
    if (this.#calls.delete(call) && call.isReported) {
      this.#reported.calls = Math.max(0, this.#reported.calls - 1);
    }
  }

  /**
   * Records a response, which proves that the instance is healthy. `answered` is undefined if the response is to a
   * readiness check.
   */
  answered(now: number, load?: Load, answered?: RoutedCall): void {
    this.#failures = 0;
    this.#unhealthyUntil = Number.NEGATIVE_INFINITY;
    this.#awakeUntil = now + AWAKE_MS;
    if (!load) return;
    this.#cores = load.cores;
    this.#reported = { calls: load.calls, at: now };
    for (const call of this.#calls) call.isReported = call !== answered;
  }

  /** Marks the instance as unhealthy. Failures of concurrent calls count as one failure. */
  failed(now: number): void {
    this.#awakeUntil = Number.NEGATIVE_INFINITY;
    this.#reported.at = Number.NEGATIVE_INFINITY;
    if (this.isUnhealthy(now)) return;
    this.#unhealthyUntil = now + Math.min(UNHEALTHY_MS * 2 ** this.#failures, LONGEST_UNHEALTHY_MS);
    this.#failures += 1;
  }

  /** Whether the readiness of the instance may be checked now. Returns true at most once a second. */
  mayCheck(now: number): boolean {
    const may = now - this.#checkedAt >= RECHECK_MS;
    if (may) this.#checkedAt = now;
    return may;
  }
}

export class MediaRouting<T> {
  readonly #pools: { region: Region | undefined; instances: readonly RoutedInstance<T>[] }[];

  constructor(pools: readonly Pool<T>[]) {
    this.#pools = pools.map(({ region, instances }) => ({
      region,
      instances: instances.map((target) => new RoutedInstance(target)),
    }));
  }

  /** Whether there is more than one instance. */
  get hasSeveral(): boolean {
    return this.#pools.reduce((sum, { instances }) => sum + instances.length, 0) > 1;
  }

  /**
   * Returns a healthy instance that the call has not tried, from the nearest pool that has one. Returns undefined if no
   * pool has one. `random` returns numbers from 0 to 1.
   */
  choose(
    now: number,
    random: () => number,
    continent: string | undefined,
    tried: ReadonlySet<RoutedInstance<T>>,
  ): RoutedInstance<T> | undefined {
    for (const instances of this.#nearest(continent, tried)) {
      const healthy = instances.filter((instance) => !instance.isUnhealthy(now));
      if (healthy.length > 0) return chooseOf(healthy, now, random);
    }
    return undefined;
  }

  /**
   * Returns the unhealthy instances whose readiness may be checked now, nearest first. Within a pool, the instance
   * whose pause ends first comes first.
   */
  toCheck(
    now: number,
    most: number,
    continent: string | undefined,
    tried: ReadonlySet<RoutedInstance<T>>,
  ): RoutedInstance<T>[] {
    return this.#nearest(continent, tried)
      .flatMap((instances) => instances.toSorted((a, b) => a.unhealthyUntil - b.unhealthyUntil))
      .slice(0, most)
      .filter((instance) => instance.mayCheck(now));
  }

  /**
   * Returns the untried instances of each pool, nearest pool first. Pools where the call has failed repeatedly come
   * last.
   */
  #nearest(
    continent: string | undefined,
    tried: ReadonlySet<RoutedInstance<T>>,
  ): RoutedInstance<T>[][] {
    return this.#pools
      .map(({ region, instances }) => {
        const untried = instances.filter((instance) => !tried.has(instance));
        const hasFailed = instances.length - untried.length >= FAILURES_OF_REGION;
        return { untried, hasFailed, far: distance(continent, region) };
      })
      .toSorted((a, b) => Number(a.hasFailed) - Number(b.hasFailed) || a.far - b.far)
      .map(({ untried }) => untried);
  }
}

/**
 * Returns the less loaded of two random instances. Only the instances with the fewest calls per core, rounded down, are
 * considered, so that no call waits while an instance has a free core. Sleeping instances come last, in the order of
 * the pool, so that they stay asleep while awake ones suffice.
 */
function chooseOf<T>(
  healthy: readonly RoutedInstance<T>[],
  now: number,
  random: () => number,
): RoutedInstance<T> | undefined {
  const level = (instance: RoutedInstance<T>) => Math.floor(instance.load(now));
  const lowest = Math.min(...healthy.map(level));
  const free = healthy.filter((instance) => level(instance) === lowest);
  const awake = free.filter((instance) => instance.isAwake(now));
  if (awake.length < 2) return awake[0] ?? free[0];
  const first = Math.floor(random() * awake.length);
  const second = (first + 1 + Math.floor(random() * (awake.length - 1))) % awake.length;
  const [a, b] = [awake[first]!, awake[second]!];
  return b.load(now) < a.load(now) ? b : a;
}
