/** Matches the messages with which browsers report that there was no response. */
const LOST = /failed to fetch|networkerror|load failed/i;

/** Returns the message of any thrown value. A lost connection gets a message for the visitor. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof TypeError && LOST.test(message)
    ? 'The service is not reachable. Check your connection and try again.'
    : message;
}
