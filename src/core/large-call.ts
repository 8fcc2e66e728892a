/** One call's share of the isolate's capacity for large JSON (ADR 49). */

/** JSON of up to this many bytes is parsed, built and sent without waiting for capacity. */
export const SMALL_JSON_BYTES = 64 * 1024;

/**
 * The share of one call. Methods that wait throw 503 after a minute, or earlier if too many calls are waiting.
 */
export interface LargeCall {
  /** Whether the call holds any of the capacity. */
  readonly isHeld: boolean;
  /** Waits until a body of up to `bytes` may be held in memory. */
  reserve(bytes: number): Promise<void>;
  /** Calls `reserve`, then reads the body. Throws 503 if the body is slow and another call needs the memory. */
  receive<T>(bytes: number, read: () => Promise<T>): Promise<T>;
  /**
   * Waits until no other large call is computing. If this call is already computing, the method only yields, so that
   * small requests can run.
   * @param bytes the memory that the call will use, if it is more than its body
   */
  begin(bytes?: number): Promise<void>;
  /** Lets other calls compute until the next `begin`. */
  pause(): void;
  /** Releases all capacity. */
  end(): void;
}
