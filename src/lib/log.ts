/**
 * Writes the log as one JSON object per line. A line contains the request's ID if a tool that needs a port is running.
 * The log never contains a caller's text, key or IP address.
 */
import { currentRecord, currentRequestId } from '../core/current-request.ts';
import { causeText } from './cause-text.ts';

type Level = 'info' | 'warn' | 'error';

/** Writes a line to the log. `fields` must not contain anything that a caller sent. Pass an error as `cause`. */
export function log(
  level: Level,
  event: string,
  { cause, ...fields }: { cause?: unknown; [name: string]: unknown } = {},
): void {
  const line = JSON.stringify({
    level,
    event,
    requestId: currentRequestId(),
    traceId: currentRecord()?.trace.id,
    ...fields,
    ...(cause !== undefined && { cause: causeText(cause) }),
  });
  console[level === 'info' ? 'log' : level](line);
}

/** Logs the underlying cause of an error, which the caller does not see. */
export const logCause = (requestId: string, cause: unknown): void =>
  log('error', 'error', { requestId, cause });
