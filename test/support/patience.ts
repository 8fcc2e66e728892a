/**
 * Contains the time limits of the tests. They are generous, because a busy machine takes minutes for work that an idle
 * one does in seconds.
 */

/** The time limit for a single wait within a test. It only guards against hangs. */
export const PATIENCE_MS = 240_000;

/** The maximum number of times that a call is repeated when the service is busy, and the maximum pause before each. */
export const REPEATS = { most: 60, seconds: 3 };
