/** Decides whether each request is forwarded, waits for an earlier one on its connection, or is refused. */
import type http from 'node:http';
import type { Socket } from 'node:net';
import { type AllowedOrigins, corsGrant } from '../src/core/allowed-origins.ts';
import { networkOf } from '../src/lib/network.ts';
import { callerAddress } from './caller-address.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { LargeBodies } from './large-bodies.ts';
import { Exchange, TOO_MANY_UPLOADS } from './proxy-exchange.ts';
import type { ProxyLimits } from './proxy-limits.ts';
import { type Refusal, tooMany } from './proxy-refusals.ts';
import type { RunningRequests } from './running-requests.ts';

/** If `onIncoming` returns this value, Node's HTTP parser stops, as it does after a protocol switch. */
const SWITCHED = 2;

const SHUTTING_DOWN: Refusal = [503, 'The service is shutting down. Try again in a moment.'];
const STARTING: Refusal = [503, 'The service is starting or restarting. Try again in a moment.'];

interface ForwarderOptions {
  running: RunningRequests;
  connections: ConnectionLimits;
  /** Returns the URL of workerd, or undefined until it is known. */
  target: () => URL | undefined;
  trustedProxy: boolean;
  allowed: AllowedOrigins;
  limits: ProxyLimits;
}

export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #largeBodies: LargeBodies<Exchange>;
  #isDraining = false;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#largeBodies = new LargeBodies(options.limits.largeBodies);
  }

  forward(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { running, limits } = this.#options;
    const { socket } = request;
    if (socket.destroyed) return;
    if (running.ofConnection(socket).length >= limits.pipelined) {
      dropUnread(socket);
      this.#pauseNetwork(socket);
      return;
    }
    const url = this.#options.target();
    const exchange = this.#createExchange(request, response, url);
    const refusal = this.#admit(request, exchange, url !== undefined);
    if (refusal) exchange.refuse(...refusal);
    else if (running.isFirst(exchange)) exchange.start();
    // Parsing so many headers is slow, so the proxy pauses reading from the network.
    if (refusal?.[0] === 431) this.#pauseNetwork(socket);
  }

  /** Refuses new requests with 503, and aborts the running ones if `timeIsUp` resolves before they have finished. */
  async drain(timeIsUp: Promise<unknown>): Promise<void> {
    const { running } = this.#options;
    this.#isDraining = true;
    await Promise.race([running.idle(), timeIsUp]);
    for (const exchange of running) exchange.refuse(...SHUTTING_DOWN);
  }

  /** Counts the request as running. */
  #createExchange(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    url: URL | undefined,
  ): Exchange {
    const { running, connections, trustedProxy, allowed } = this.#options;
    const { socket } = request;
    const address = callerAddress(request, trustedProxy);
    const destination = {
      target: url ?? new URL('http://127.0.0.1'),
      address,
      network: trustedProxy ? networkOf(address) : connections.networkOf(socket),
      grant: corsGrant(allowed, request.headers.origin ?? null),
    };
    const onEnd = () => {
      const next = running.remove(exchange);
      this.#largeBodies.release(exchange.network, exchange);
      next?.start();
    };
    const exchange = new Exchange(request, response, destination, onEnd, () =>
      this.#pauseNetwork(socket),
    );
    running.add(exchange);
    return exchange;
  }

  /**
   * Returns the reason to refuse the request, which is already counted as running. Acquires a slot for a large body.
   */
  #admit(
    request: http.IncomingMessage,
    exchange: Exchange,
    hasTarget: boolean,
  ): Refusal | undefined {
    const { running, limits } = this.#options;
    const { network, isLarge } = exchange;
    if (request.rawHeaders.length > 2 * limits.headers)
      return [431, `The request has more than ${limits.headers} headers. Send fewer.`];
    if (!hasValidHosts(request))
      return [400, 'HTTP/1.1 requires exactly one Host header. Send one.'];
    if (this.#isDraining) return SHUTTING_DOWN;
    if (!hasTarget) return STARTING;
    if (running.countOf(network) > limits.perNetwork) return tooMany('network');
    if (running.size > limits.total && request.url !== '/health') return tooMany('total');
    if (isLarge && !this.#largeBodies.admit(network, exchange)) return TOO_MANY_UPLOADS;
    return undefined;
  }

  /**
   * Pauses reading from the socket's network. Does nothing behind a trusted proxy, where all callers share one network.
   */
  #pauseNetwork(socket: Socket): void {
    const { trustedProxy, connections } = this.#options;
    if (!trustedProxy) connections.pauseNetwork(socket);
  }
}

/**
 * Closes a connection without parsing its buffered requests. Up to 3,000 requests may be buffered, and Node takes 40 µs
 * for each.
 */
function dropUnread(socket: Socket & { parser?: { onIncoming: () => number } }): void {
  if (socket.parser) socket.parser.onIncoming = () => SWITCHED;
  socket.destroy();
}

/** Whether the request has exactly one `Host` header. HTTP/1.0 also allows none (RFC 9112, section 3.2). */
function hasValidHosts({ headersDistinct, httpVersion }: http.IncomingMessage): boolean {
  const count = headersDistinct.host?.length ?? 0;
  return count === 1 || (count === 0 && httpVersion === '1.0');
}
