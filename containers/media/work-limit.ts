/** How long a program may work on an input: by the input's size, and by what was measured of it beforehand. */
import { MB } from '../../src/core/limits.ts';

/** CPU seconds for an input of up to 1 MB. Slow inputs of that size are made to be slow. */
const LEAST_SECONDS = 10;
const SECONDS_PER_MB = 3;
/** Programs give way to the server and share the cores: on a busy machine a CPU second takes several by the clock. */
const CLOCK_FACTOR = 4;

export interface WorkBounds {
  /** CPU seconds of one program. */
  cpuSeconds: number;
  /** By the clock. */
  timeLimitMs: number;
}

export interface WorkMost {
  /** Seconds by the clock, however large the input is. */
  seconds: number;
  /** Cores that one program keeps busy; 1 unless told. */
  cores?: number;
}

export class WorkLimit {
  #seconds: number;
  readonly #onAllowed: ((seconds: number) => void) | undefined;

  /** `bytes`: of all files that the program reads. `onAllowed` receives what `allow` adds. */
  constructor(bytes: number, onAllowed?: (seconds: number) => void) {
    this.#seconds = LEAST_SECONDS + Math.max(0, bytes / MB - 1) * SECONDS_PER_MB;
    this.#onAllowed = onAllowed;
  }

  /** Adds CPU seconds for work that a small input legitimately causes: pages, pixels, frames. */
  allow(seconds: number): void {
    this.#seconds += seconds;
    this.#onAllowed?.(seconds);
  }

  within({ seconds, cores = 1 }: WorkMost): WorkBounds {
    return {
      cpuSeconds: Math.round(Math.min(seconds * cores, this.#seconds)),
      timeLimitMs: Math.round(Math.min(seconds, this.#seconds * CLOCK_FACTOR)) * 1000,
    };
  }
}
