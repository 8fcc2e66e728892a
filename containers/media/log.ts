/**
 * Writes the worker's log as one JSON object per line on standard output. The log never contains a caller's text or
 * file names.
 */
import type { IncomingMessage } from 'node:http';
import { isSampled, traceIdOf } from '../../src/core/trace.ts';
import { causeText } from '../../src/lib/cause-text.ts';

interface LogEntry {
  event: string;
  level?: 'error';
  /** The underlying error. */
  cause?: unknown;
  [field: string]: unknown;
}

export function log({ cause, ...entry }: LogEntry): void {
  const told = cause === undefined ? entry : { ...entry, cause: causeText(cause) };
  process.stdout.write(`${JSON.stringify({ level: 'info', ...told })}\n`);
}

/** Returns the identifiers of a request, which also appear in the Worker's log. */
export const requestNames = ({ headers }: IncomingMessage) => ({
  requestId: headers['x-request-id'],
  traceId: traceIdOf(traceparentOf(headers)),
});

/**
 * Whether to log a successful request. Requests without a trace are always logged. Other requests are logged only if
 * the Worker logs them too.
 */
export function isLogged({ headers }: IncomingMessage): boolean {
  const traceparent = traceparentOf(headers);
  return traceparent === undefined || isSampled(traceparent);
}

const traceparentOf = ({ traceparent }: IncomingMessage['headers']): string | undefined =>
  typeof traceparent === 'string' ? traceparent : undefined;
