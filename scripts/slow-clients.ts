/** Aborts the requests of clients that send or read too slowly (ADR 45). */
import type { Exchange } from './proxy-exchange.ts';

const KB = 1024;

export interface SlowLimits {
  /** The maximum pause in a request body, in milliseconds. */
  bodyIdleMs: number;
  /** The minimum rate of a request body in bytes per second, measured over intervals of `bodyIdleMs`. */
  bodyRate: number;
  /** How long a client may stop reading its response, in milliseconds. */
  responseIdleMs: number;
  /** The minimum rate at which a client reads its response, in bytes per second over intervals of `responseIdleMs`. */
  responseRate: number;
}

export const SLOW_LIMITS: SlowLimits = {
  bodyIdleMs: 20_000,
  bodyRate: KB,
  // This limit is long, because Node reports progress only in steps of 64 kB.
  responseIdleMs: 60_000,
  // The rate is high, because workerd holds a JSON response in memory until it is read.
  responseRate: 16 * KB,
};

/** The last observation of a request that is waiting for its client. */
interface Progress {
  phase: 'body' | 'response';
  /** The number of bytes that the connection has received so far or, in the phase `response`, sent. */
  bytes: number;
  /** The time at which `bytes` last changed, in milliseconds. */
  since: number;
  intervalStart: number;
  /** The value of `bytes` at the start of the interval. */
  intervalBytes: number;
}

/** Checks all requests periodically. A timer per request would add overhead to each small request. */
export class SlowClients {
  readonly #limits: SlowLimits;
  readonly #seen = new WeakMap<Exchange, Progress>();

  constructor(limits: SlowLimits) {
    this.#limits = limits;
  }

  /** Aborts the requests that are too slow. `now` is in milliseconds. */
  check(exchanges: Iterable<Exchange>, now: number): void {
    for (const exchange of exchanges) {
      const phase = exchange.waitsFor();
      if (phase === null) this.#seen.delete(exchange);
      else this.#check(exchange, phase, now);
    }
  }

  #check(exchange: Exchange, phase: 'body' | 'response', now: number): void {
    const { socket } = exchange;
    const bytes = phase === 'body' ? socket.bytesRead : socket.bytesWritten - socket.writableLength;
    const seen = this.#seen.get(exchange);
    if (seen?.phase !== phase) {
      const progress = { phase, bytes, since: now, intervalStart: now, intervalBytes: bytes };
      this.#seen.set(exchange, progress);
      return;
    }
    if (bytes !== seen.bytes) Object.assign(seen, { bytes, since: now });
    const { bodyIdleMs, bodyRate, responseIdleMs, responseRate } = this.#limits;
    const interval = now - seen.intervalStart;
    if (phase === 'response') {
      const isSlow =
        interval >= responseIdleMs && bytes - seen.intervalBytes < (responseRate * interval) / 1000;
      if (isSlow || now - seen.since >= responseIdleMs) socket.destroy();
      else if (interval >= responseIdleMs)
        Object.assign(seen, { intervalStart: now, intervalBytes: bytes });
      return;
    }
    if (now - seen.since >= bodyIdleMs) {
      exchange.refuse(408, 'The request body stopped arriving. Send it without long pauses.');
    } else if (interval >= bodyIdleMs) {
      if (bytes - seen.intervalBytes < (bodyRate * interval) / 1000) {
        exchange.refuse(408, 'The request body arrived too slowly. Send at least 1 kB per second.');
      }
      Object.assign(seen, { intervalStart: now, intervalBytes: bytes });
    }
  }
}
