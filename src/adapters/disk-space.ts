/**
 * Measures the free space on the disk where `npm start` stores its state. On Cloudflare, storage is not limited by a
 * disk.
 */
import { ToolError, unavailable } from '../core/errors.ts';
import { diskFloor } from '../core/limits.ts';

/** How long a measurement stays valid, in milliseconds. */
const FRESH_MS = 1000;
const FULL_RETRY_SECONDS = 60;

export interface DiskState {
  /** The number of bytes that can still be written. */
  free: number;
  /** The number of bytes that stored files must leave free. */
  floor: number;
}

export class DiskSpace {
  readonly #binding: Fetcher | undefined;
  #measured: { at: number; state: DiskState | null } | undefined;

  constructor(binding: Fetcher | undefined) {
    this.#binding = binding;
  }

  /** Returns the state of the disk. Returns null on Cloudflare, or if the disk cannot be measured. */
  async state(): Promise<DiskState | null> {
    if (!this.#binding) return null;
    const now = Date.now();
    if (this.#measured && now - this.#measured.at < FRESH_MS) return this.#measured.state;
    // A request cannot await another request's promise, so concurrent calls may each measure the disk.
    const state = await measure(this.#binding);
    this.#measured = { at: now, state };
    return state;
  }

  /** Whether the disk has too little free space to write database rows. */
  async isFull(): Promise<boolean> {
    const state = await this.state();
    return state !== null && state.free < state.floor / 2;
  }

  /**
   * Returns the error to throw instead of `thrown`. If the disk is full, an unexpected error becomes 503, because the
   * full disk is the likely cause.
   */
  async explain(thrown: unknown): Promise<unknown> {
    if (thrown instanceof ToolError || !(await this.isFull())) return thrown;
    return diskFull(thrown);
  }
}

export const diskFull = (cause?: unknown) =>
  unavailable("This service's disk is full. Try again later.", FULL_RETRY_SECONDS, cause);

async function measure(binding: Fetcher): Promise<DiskState | null> {
  const response = await binding.fetch('http://disk/').catch(() => null);
  if (!response?.ok) return null;
  const { free, total } = await response.json<{ free: number; total: number }>();
  return { free, floor: diskFloor(total) };
}
