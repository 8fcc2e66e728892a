/** Thrown for a mistake in the command line, for which the exit code is 2. */
export class UsageError extends Error {}
