/** Builds the proxy's own error responses, in the same format as the Worker's. */
import { randomUUID } from 'node:crypto';
import { type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type AllowedOrigins, corsGrant } from '../src/core/allowed-origins.ts';
import type { Full } from './connection-limits.ts';

export type RefusalStatus = 400 | 408 | 429 | 431 | 503;
export type Refusal = readonly [status: RefusalStatus, message: string];

/** The Retry-After value by status, in seconds. */
const RETRY_AFTER: Partial<Record<RefusalStatus, number>> = { 408: 1, 429: 1, 503: 5 };
const CODES: Partial<Record<RefusalStatus, string>> = { 429: 'rate_limited', 503: 'internal' };
/**
 * How long the proxy keeps reading from a refused connection, in milliseconds. If the connection were closed earlier,
 * the client could lose the response.
 */
const LINGER_MS = 1000;

/**
 * Builds an error response.
 * @param grant the value of `Access-Control-Allow-Origin`
 */
export function refusal(
  status: RefusalStatus,
  message: string,
  grant: string | null,
): { headers: OutgoingHttpHeaders; body: string } {
  const requestId = randomUUID();
  const retryAfter = RETRY_AFTER[status];
  const error = { error: message, code: CODES[status] ?? 'bad_request', requestId, retryAfter };
  const body = JSON.stringify(error);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...(grant !== null && { 'Access-Control-Allow-Origin': grant }),
  };
  return { headers, body };
}

/** Writes an error response directly to a connection, and closes the connection. */
export function refuseConnection(
  socket: Duplex,
  status: RefusalStatus,
  message: string,
  grant: string | null,
): void {
  const { headers, body } = refusal(status, message, grant);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.on('end', () => socket.destroy());
  socket.on('close', () => clearTimeout(timer));
}

export const tooMany = (full: Full): Refusal =>
  full === 'network'
    ? [429, 'Too many connections from your address. Close some and try again.']
    : [503, 'Too many connections are open. Try again in a few seconds.'];

/** Returns the value of `Access-Control-Allow-Origin` for a connection without an `Origin` header. */
export const anyOrigin = (allowed: AllowedOrigins) => corsGrant(allowed, null);
