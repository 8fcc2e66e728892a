/** The time limits of tests. A busy machine takes minutes for what an idle one does in seconds. */

/** A guard against hangs, for a single wait within a test. */
export const PATIENCE_MS = 240_000;

/** The maximum number of repeats of a call that the busy service refused, and the longest pause before each. */
export const REPEATS = { most: 60, seconds: 3 };
