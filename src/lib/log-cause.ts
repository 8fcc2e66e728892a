/** Logs the underlying cause of an error, which the caller does not see. */

export function logCause(requestId: string, cause: unknown): void {
  const stack = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  console.error(JSON.stringify({ event: 'error', requestId, cause: stack }));
}
