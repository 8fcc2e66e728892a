/** Aborts the requests of clients that send or read too slowly (ADR 45). */
import type { Exchange } from './proxy-exchange.ts';

const KB = 1024;

export interface SlowLimits {
  /** The maximum pause in a request body, in milliseconds. */
  bodyIdleMs: number;
  /** The minimum rate of a request body in bytes per second, measured over intervals of `bodyIdleMs`. */
  bodyRate: number;
  /** How long a client may stop reading its response, in milliseconds. */
  answerIdleMs: number;
  /** The minimum rate at which a client reads its response, in bytes per second over intervals of `answerIdleMs`. */
  answerRate: number;
}

export const SLOW_LIMITS: SlowLimits = {
  bodyIdleMs: 20_000,
  bodyRate: KB,
  // This limit is long, because Node reports progress only in steps of 64 kB.
  answerIdleMs: 60_000,
  // The rate is high, because workerd holds a JSON response in memory until it is read.
  answerRate: 16 * KB,
};

/** The last observation of a request that is waiting for its client. */
interface Progress {
  phase: 'body' | 'answer';
  bytes: number;
  since: number;
  spanStart: number;
  spanBytes: number;
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

  #check(exchange: Exchange, phase: 'body' | 'answer', now: number): void {
    const { socket } = exchange;
    const bytes = phase === 'body' ? socket.bytesRead : socket.bytesWritten - socket.writableLength;
    const seen = this.#seen.get(exchange);
    if (seen?.phase !== phase) {
      const progress = { phase, bytes, since: now, spanStart: now, spanBytes: bytes };
      this.#seen.set(exchange, progress);
      return;
    }
    if (bytes !== seen.bytes) Object.assign(seen, { bytes, since: now });
    const { bodyIdleMs, bodyRate, answerIdleMs, answerRate } = this.#limits;
    const span = now - seen.spanStart;
    if (phase === 'answer') {
      const isSlow = span >= answerIdleMs && bytes - seen.spanBytes < (answerRate * span) / 1000;
      if (isSlow || now - seen.since >= answerIdleMs) socket.destroy();
      else if (span >= answerIdleMs) Object.assign(seen, { spanStart: now, spanBytes: bytes });
      return;
    }
    if (now - seen.since >= bodyIdleMs) {
      exchange.refuse(408, 'The request body stopped arriving. Send it without long pauses.');
    } else if (span >= bodyIdleMs) {
      if (bytes - seen.spanBytes < (bodyRate * span) / 1000) {
        exchange.refuse(408, 'The request body arrived too slowly. Send at least 1 kB per second.');
      }
      Object.assign(seen, { spanStart: now, spanBytes: bytes });
    }
  }
}
