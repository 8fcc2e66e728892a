/** Defines the limits of the proxy (ADR 45). */
import type { ConnectionCaps } from './connection-limits.ts';
import { SLOW_LIMITS, type SlowLimits } from './slow-clients.ts';

export interface ProxyLimits extends ConnectionCaps, SlowLimits {
  /** The limit on concurrent requests with a streamed body. These requests do not delay other requests. */
  largeBodies: number;
  /** The limit on unanswered requests per connection. Pipelining clients send only a few. */
  pipelined: number;
  /** The maximum number of header fields in a request. A request with 1,900 header fields takes 17 ms to parse. */
  headers: number;
  headersMs: number;
  checkMs: number;
}

export const PROXY_LIMITS: ProxyLimits = {
  ...SLOW_LIMITS,
  perNetwork: 64,
  total: 2048,
  largeBodies: 512,
  pipelined: 16,
  headers: 100,
  headersMs: 10_000,
  checkMs: 1000,
};
