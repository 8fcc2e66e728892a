/** How long tests wait: a busy machine takes minutes for what an idle one does in seconds. */

/** A guard against hangs, for one wait within a test. */
export const PATIENCE_MS = 240_000;

/** How often a call that the busy service refused is repeated, and how long a test pauses at most before each. */
export const REPEATS = { most: 60, seconds: 3 };
