/** Reports a storm's load on each component of the service, and the limits that the storm exceeded. */

const DOCS = 'https://developers.cloudflare.com';

interface Ceiling {
  /** The maximum rate per second. */
  perSecond: number;
  /** The source of the rate: documentation, an estimate, or a simulation. */
  source: string;
}

/** The limits of the platform. The documented ones were read on 2026-11-23. */
export const CEILINGS = {
  object: {
    perSecond: 1000,
    source: `documented: requests to a Durable Object, ${DOCS}/durable-objects/platform/limits`,
  },
  d1: {
    perSecond: 1000,
    source: `documented: D1 runs one query at a time, 1,000 a second if each takes 1 ms, ${DOCS}/d1/platform/limits/`,
  },
  d1Writes: { perSecond: 200, source: 'estimated: 5 ms for each write of D1' },
  launches: {
    perSecond: 1,
    source: `documented: new browsers of an account, ${DOCS}/browser-run/limits/`,
  },
  sameKey: {
    perSecond: 1,
    source: `documented: writes to the same key of R2, ${DOCS}/r2/platform/limits/`,
  },
  container: {
    perSecond: 2.5,
    source: 'simulated: two cores of a standard-3 instance, for calls of 0.8 seconds',
  },
  unlimited: {
    perSecond: Number.POSITIVE_INFINITY,
    source: `documented: no limit, ${DOCS}/r2/platform/limits/ and ${DOCS}/durable-objects/platform/limits`,
  },
} satisfies Record<string, Ceiling>;

/** Counts the events in each second of the simulated clock. */
export class Rate {
  readonly #counts = new Map<number, number>();
  readonly #now: () => number;
  total = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  count(): void {
    const second = Math.floor(this.#now() / 1000);
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + 1);
    this.total += 1;
  }

  get peak(): number {
    return Math.max(0, ...this.#counts.values());
  }
}

export interface StormPart {
  name: string;
  /** The highest rate per second during the storm. */
  peak: number;
  /** The maximum queue length. The default is 0. */
  queue?: number;
  ceiling: Ceiling;
}

/**
 * Prints the peak rate, queue and saturation point of each component. The saturation point is also given as a multiple
 * of the storm. Then prints the components that the storm saturates, and the contractual limits that it exceeds.
 * Returns the exceeded contractual limits.
 */
export function reportStorm(
  storm: string,
  parts: readonly StormPart[],
  contract: Record<string, boolean>,
): string[] {
  const lines = parts.map(({ name, peak, queue = 0, ceiling: { perSecond, source } }) => {
    const storms = peak > 0 ? `${(perSecond / peak).toFixed(1)} times this storm` : 'not reached';
    const full = Number.isFinite(perSecond) ? `full at ${perSecond} a second, ${storms}` : 'no end';
    return `  ${name}: at most ${peak} a second, ${queue} waiting; ${full} (${source})`;
  });
  const saturated = parts.filter(({ peak, ceiling }) => peak > ceiling.perSecond);
  const limits = Object.keys(contract);
  const broken = limits.filter((limit) => contract[limit]);
  console.info(
    [
      storm,
      ...lines,
      `  saturated: ${saturated.map(({ name }) => name).join(', ') || 'nothing'}`,
      `  limits of the contract (${limits.join(', ')}) broken: ${broken.join(', ') || 'none'}`,
    ].join('\n'),
  );
  return broken;
}
