/** Computes the time limit of a program from the size and the measured properties of its input (ADR 48). */
import { MB } from '../../src/core/limits.ts';

/** The CPU seconds allowed for an input of up to 1 MB. A small input that takes longer was probably made to be slow. */
const MIN_SECONDS = 10;
const SECONDS_PER_MB = 3;
/**
 * Elapsed seconds per CPU second. Programs have a low priority and share the cores, so on a busy machine they need
 * several seconds of wall time per CPU second.
 */
const CLOCK_FACTOR = 4;

export interface WorkBounds {
  /** The CPU time limit for one program, in seconds. */
  cpuSeconds: number;
  /** The wall time limit in milliseconds. */
  timeLimitMs: number;
}

/** The upper bound for inputs of any size. */
export interface WorkCeiling {
  /** The wall time limit in seconds. */
  seconds: number;
  /** The number of cores that one program keeps busy. The default is 1. */
  cores?: number;
}

export class WorkLimit {
  #seconds: number;
  readonly #onAllowed: ((seconds: number) => void) | undefined;

  /**
   * @param bytes the total size of all files that the program reads
   * @param onAllowed receives the CPU seconds that `allow` adds
   */
  constructor(bytes: number, onAllowed?: (seconds: number) => void) {
    this.#seconds = MIN_SECONDS + Math.max(0, bytes / MB - 1) * SECONDS_PER_MB;
    this.#onAllowed = onAllowed;
  }

  /** Returns a limit of this many CPU seconds. Use it for optional work that must not take much longer than usual. */
  static ofSeconds(cpuSeconds: number) {
    const limit = new WorkLimit(0);
    limit.#seconds = cpuSeconds;
    return limit;
  }

  static forFiles(files: readonly { size: number }[], onAllowed?: (seconds: number) => void) {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return new WorkLimit(bytes, onAllowed);
  }

  /** Adds CPU seconds for the pages, pixels or frames of an input. Even a small file may contain many of them. */
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
