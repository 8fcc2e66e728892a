/**
 * Computes how long a program may work on an input, from the input's size and its measured
 * properties (ADR 48).
 */
import { MB } from '../../src/core/limits.ts';

/** CPU seconds for an input of up to 1 MB. A small input that takes longer was made to be slow. */
const LEAST_SECONDS = 10;
const SECONDS_PER_MB = 3;
/**
 * Elapsed seconds per CPU second. Programs have a low priority and share the cores, so a CPU second
 * takes several elapsed seconds on a busy machine.
 */
const CLOCK_FACTOR = 4;

export interface WorkBounds {
  /** CPU seconds of one program. */
  cpuSeconds: number;
  /** Wall time. */
  timeLimitMs: number;
}

/** The limit for inputs of any size. */
export interface WorkCeiling {
  /** Wall time. */
  seconds: number;
  /** Cores that one program keeps busy; 1 by default. */
  cores?: number;
}

export class WorkLimit {
  #seconds: number;
  readonly #onAllowed: ((seconds: number) => void) | undefined;

  /**
   * @param bytes the size of all files that the program reads
   * @param onAllowed receives the seconds that `allow` adds
   */
  constructor(bytes: number, onAllowed?: (seconds: number) => void) {
    this.#seconds = LEAST_SECONDS + Math.max(0, bytes / MB - 1) * SECONDS_PER_MB;
    this.#onAllowed = onAllowed;
  }

  static forFiles(files: readonly { size: number }[], onAllowed?: (seconds: number) => void) {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return new WorkLimit(bytes, onAllowed);
  }

  /** Adds CPU seconds for work that a small input legitimately causes: pages, pixels, frames. */
  allow(seconds: number): void {
    this.#seconds += seconds;
    this.#onAllowed?.(seconds);
  }

  within({ seconds, cores = 1 }: WorkCeiling): WorkBounds {
    return {
      cpuSeconds: Math.round(Math.min(seconds * cores, this.#seconds)),
      timeLimitMs: Math.round(Math.min(seconds, this.#seconds * CLOCK_FACTOR)) * 1000,
    };
  }
}
