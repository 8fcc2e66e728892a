/** The error for a mistake in the command line. Its exit code is 2. */
export class UsageError extends Error {}
