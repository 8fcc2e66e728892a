/** What browsers say when a request got no response. */
const LOST = /failed to fetch|networkerror|load failed/i;

/** The message of whatever was thrown. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof TypeError && LOST.test(message)
    ? 'The service is not reachable. Check your connection and try again.'
    : message;
}
