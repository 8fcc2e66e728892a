/**
 * The HTTP proxy in front of a self-hosted workerd (ADR 2, 45). It sets CF-Connecting-IP to the caller's address,
 * regardless of what the client sent, and limits connections and request bodies. When a client disconnects, the proxy
 * resets the connection to workerd, because workerd detects a disconnect only from a reset.
 */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AllowedOrigins, corsGrant } from '../src/core/allowed-origins.ts';
import { networkOf } from '../src/lib/network.ts';
import { callerAddress } from './caller-address.ts';
import { type ConnectionCaps, ConnectionLimits, type Full } from './connection-limits.ts';
import { LargeBodies } from './large-bodies.ts';
import { Exchange, TOO_MANY_UPLOADS } from './proxy-exchange.ts';
import { refuseConnection } from './proxy-refusals.ts';
import { SLOW_LIMITS, SlowClients, type SlowLimits } from './slow-clients.ts';

export interface ProxySettings {
  hosts: readonly string[];
  port: number;
  /** Whether requests come through the operator's own proxy, which adds the callers' addresses to the headers. */
  trustedProxy: boolean;
  allowed: AllowedOrigins;
}

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

/**
 * The time limit for receiving a request, in milliseconds. A client that sends 19 kB per second can upload 64 MB within
 * it.
 */
const REQUEST_MS = 3_600_000;
const KEEP_ALIVE_MS = 60_000;
/**
 * The maximum number of connections that the operating system queues before they are accepted. A client beyond this
 * limit retries after a second.
 */
const BACKLOG = 4096;

export interface Proxy {
  port: number;
  /**
   * Refuses new requests with 503. Resolves when the running requests have finished. Aborts them if `timeIsUp` resolves
   * first.
   */
  drain(timeIsUp: Promise<unknown>): Promise<void>;
  close(): void;
}

/** If `onIncoming` returns this value, Node's HTTP parser stops, as it does after a protocol switch. */
const SWITCHED = 2;

const SHUTTING_DOWN = 'The service is shutting down. Try again in a moment.';

/** Listens on every host and forwards requests to `target` once it is known. Rejects if it cannot listen. */
export async function openProxy(
  { hosts, port, trustedProxy, allowed }: ProxySettings,
  target: () => URL | undefined,
  limits: ProxyLimits = PROXY_LIMITS,
): Promise<Proxy> {
  const exchanges = new Set<Exchange>();
  let draining = false;
  let whenIdle: (() => void) | undefined;
  /** The number of running requests by network. */
  const running = new Map<string, number>();
  /** The unanswered requests of each connection, in order. Only the first request is forwarded. */
  const pipelines = new WeakMap<Socket, Exchange[]>();
  const largeBodies = new LargeBodies<Exchange>(limits.largeBodies);
  const slowClients = new SlowClients(limits);
  const timer = setInterval(() => slowClients.check(exchanges, performance.now()), limits.checkMs);
  // A trusted proxy may send the requests of many callers on one connection.
  const perNetwork = trustedProxy ? limits.total : limits.perNetwork;
  const connections = new ConnectionLimits(
    { perNetwork, total: limits.total },
    {
      serve: (socket) => serverOf.get(socket)!(socket),
      refuse: (socket, full) => refuseConnection(socket, ...tooMany(full), anyOrigin(allowed)),
      evict,
      busy: () => {
        const busy = [...exchanges].filter((exchange) => exchange.waitsFor() !== 'body');
        return new Set(busy.map(({ socket }) => socket));
      },
    },
  );
  const serverOf = new WeakMap<Socket, (socket: Socket) => void>();

  function evict(socket: Socket): void {
    for (const exchange of exchanges) {
      if (exchange.socket === socket) exchange.refuse(...tooMany('network'));
    }
    socket.destroySoon();
  }

  function forward(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const pipeline = pipelines.get(socket) ?? [];
    if (pipeline.length >= limits.pipelined) {
      dropUnread(socket);
      rest(socket);
      return;
    }
    pipelines.set(socket, pipeline);
    const grant = corsGrant(allowed, request.headers.origin ?? null);
    const url = target();
    const address = callerAddress(request, trustedProxy);
    const network = trustedProxy ? networkOf(address) : connections.networkOf(socket);
    const count = running.get(network) ?? 0;
    const destination = { target: url ?? new URL('http://127.0.0.1'), address, network, grant };
    const onEnd = () => {
      exchanges.delete(exchange);
      const isFirst = pipeline[0] === exchange;
      pipeline.splice(pipeline.indexOf(exchange), 1);
      if (isFirst && !socket.destroyed) pipeline[0]?.start();
      if (exchanges.size === 0) whenIdle?.();
      largeBodies.release(network, exchange);
      const left = running.get(network)! - 1;
      if (left > 0) running.set(network, left);
      else running.delete(network);
    };
    const exchange = new Exchange(request, response, destination, onEnd, () => rest(socket));
    pipeline.push(exchange);
    exchanges.add(exchange);
    running.set(network, count + 1);
    if (request.rawHeaders.length > 2 * limits.headers) {
      exchange.refuse(431, `The request has more than ${limits.headers} headers. Send fewer.`);
      rest(socket);
    } else if (!hasValidHosts(request)) {
      exchange.refuse(400, 'HTTP/1.1 requires exactly one Host header. Send one.');
    } else if (draining) {
      exchange.refuse(503, SHUTTING_DOWN);
    } else if (!url) {
      exchange.refuse(503, 'The service is starting or restarting. Try again in a moment.');
    } else if (count >= limits.perNetwork) {
      exchange.refuse(...tooMany('network'));
    } else if (exchanges.size > limits.total && request.url !== '/health') {
      exchange.refuse(...tooMany('total'));
    } else if (exchange.isLarge && !largeBodies.admit(network, exchange)) {
      exchange.refuse(...TOO_MANY_UPLOADS);
    } else if (pipeline[0] === exchange) {
      exchange.start();
    }
  }

  /**
   * Pauses reading from the socket's network. Does nothing behind a trusted proxy, where all callers share one network.
   */
  function rest(socket: Socket): void {
    if (!trustedProxy) connections.rest(socket);
  }

  function newServer(): http.Server {
    const server = http.createServer(
      {
        headersTimeout: limits.headersMs,
        requestTimeout: REQUEST_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        // TCP probes detect clients that have disappeared without closing the connection.
        keepAlive: true,
        keepAliveInitialDelay: KEEP_ALIVE_MS,
        connectionsCheckingInterval: limits.checkMs,
        // The proxy checks the Host header itself, because Node's own 400 response has no body.
        requireHostHeader: false,
      },
      forward,
    );
    // The bytes of a waiting connection stay in the operating system's buffer.
    (server as http.Server & { pauseOnConnect: boolean }).pauseOnConnect = true;
    server.on('connect', (_, socket) => {
      const message =
        'CONNECT is not supported: this is not a forward proxy. Send the request directly.';
      refuseConnection(socket, 400, message, anyOrigin(allowed));
    });
    // Node's own 417 response has no body. `Expect` is dropped like the other hop-by-hop headers.
    server.on('checkExpectation', forward);
    server.on('clientError', (error, socket) => refuseUnreadable(error, socket, allowed));
    // Node's own listener starts reading from a connection. It is removed here and called when the connection is
    // admitted.
    const [read] = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket) => {
      serverOf.set(socket, (served) => {
        read!.call(server, served);
        served.resume();
      });
      connections.accept(socket);
    });
    return server;
  }

  const servers = await listenOn(hosts, port, newServer);
  return {
    port: (servers[0]!.address() as AddressInfo).port,
    drain: async (timeIsUp) => {
      draining = true;
      if (exchanges.size === 0) return;
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
      await Promise.race([idle, timeIsUp]);
      for (const exchange of exchanges) exchange.refuse(503, SHUTTING_DOWN);
    },
    close: () => {
      clearInterval(timer);
      for (const server of servers) server.close();
      connections.close();
    },
  };
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

/** Creates one server for each host, all on the same port. */
async function listenOn(
  hosts: readonly string[],
  port: number,
  newServer: () => http.Server,
): Promise<http.Server[]> {
  const servers: http.Server[] = [];
  for (const host of hosts) {
    const server = newServer();
    const [first] = servers;
    try {
      await listen(server, host, first ? (first.address() as AddressInfo).port : port);
    } catch (error) {
      // A machine without IPv6 has no ::1 address.
      if (first && /EADDRNOTAVAIL|EAFNOSUPPORT/.test(String(error))) continue;
      throw error;
    }
    servers.push(server);
  }
  return servers;
}

function listen(server: http.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const tooMany = (full: Full): [429 | 503, string] =>
  full === 'network'
    ? [429, 'Too many connections from your address. Close some and try again.']
    : [503, 'Too many connections are open. Try again in a few seconds.'];

/** Returns the value of `Access-Control-Allow-Origin` for a connection without an `Origin` header. */
const anyOrigin = (allowed: AllowedOrigins) => corsGrant(allowed, null);

/** Responds in the usual error format to data that Node could not parse as a request, and closes the connection. */
function refuseUnreadable(
  { code }: NodeJS.ErrnoException,
  socket: Duplex,
  allowed: AllowedOrigins,
): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const grant = anyOrigin(allowed);
  if (code === 'HPE_HEADER_OVERFLOW') {
    refuseConnection(
      socket,
      431,
      'The request headers are larger than 16 KB. Send fewer or shorter ones.',
      grant,
    );
  } else if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    refuseConnection(
      socket,
      408,
      'The request did not arrive in time. Check the connection and try again.',
      grant,
    );
  } else {
    refuseConnection(socket, 400, 'This is not a valid HTTP request. Use HTTP/1.1.', grant);
  }
}
