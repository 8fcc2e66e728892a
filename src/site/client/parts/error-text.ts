/** Matches the messages that browsers report when there is no response. */
const LOST = /failed to fetch|networkerror|load failed/i;

/** An error that the service reported with an HTTP status. */
export class ResponseError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Whether the same call can succeed later. A call that the service rejects with a 4xx status other than 429 cannot. */
export const isWorthRetry = (error: unknown): boolean =>
  !(error instanceof ResponseError) || error.status === 429 || error.status >= 500;

const isConnectionLost = (error: unknown): boolean =>
  error instanceof TypeError && LOST.test(error.message);

/**
 * Whether a limit, a busy service or a lost connection caused the error. Such an error affects all files of a batch.
 */
export const isSharedReason = (error: unknown): boolean =>
  isConnectionLost(error) ||
  (error instanceof ResponseError && (error.status === 429 || error.status === 503));

/** Returns the message for a chosen file that the browser cannot read. */
export const unreadableText = (name: string): string =>
  `The file ${name} cannot be read: it is a folder, or it was moved or changed. Choose the file again.`;

/** Returns the message for any thrown value. If the connection was lost, the message explains this to the visitor. */
export function errorText(error: unknown): string {
  if (isConnectionLost(error))
    return 'The service is not reachable. Check your connection and try again.';
  return error instanceof Error ? error.message : String(error);
}
