/** Writes what really happened into the log, which the caller is not told. */

export function logCause(requestId: string, cause: unknown): void {
  const stack = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  console.error(JSON.stringify({ event: 'error', requestId, cause: stack }));
}
