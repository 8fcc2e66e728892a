/**
 * The HTTP proxy of a service at home, in front of workerd, for what workerd does not do by itself: it tells the Worker
 * who called (CF-Connecting-IP, never the client's word), resets the connection when the client goes away, which is
 * the only departure that workerd notices, and bounds what clients may hold.
 */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AllowedOrigins, corsGrant } from '../src/core/allowed-origins.ts';
import { networkOf } from '../src/lib/network.ts';
import { callerAddress } from './caller-address.ts';
import { type ConnectionCaps, ConnectionLimits, type Full } from './connection-limits.ts';
import { Exchange } from './proxy-exchange.ts';
import { refuseConnection } from './proxy-refusals.ts';
import { SLOW_LIMITS, SlowClients, type SlowLimits } from './slow-clients.ts';

export interface ProxySettings {
  hosts: readonly string[];
  port: number;
  /** Whether a proxy of the operator's is in front, which tells the callers' addresses. */
  trustedProxy: boolean;
  allowed: AllowedOrigins;
}

export interface ProxyLimits extends ConnectionCaps, SlowLimits {
  /** Requests at a time whose bodies are handed on while they come. All others are not held up by them. */
  largeBodies: number;
  headersMs: number;
  checkMs: number;
}

export const PROXY_LIMITS: ProxyLimits = {
  ...SLOW_LIMITS,
  perNetwork: 64,
  total: 2048,
  largeBodies: 512,
  headersMs: 10_000,
  checkMs: 1000,
};

/** For a body of 64 MB, 19 kB a second. */
const REQUEST_MS = 3_600_000;
const KEEP_ALIVE_MS = 60_000;

export interface Proxy {
  port: number;
  close(): void;
}

/** Listens on every host and hands requests on to `target`, as soon as there is one. Throws what listening throws. */
export async function openProxy(
  { hosts, port, trustedProxy, allowed }: ProxySettings,
  target: () => URL | undefined,
  limits: ProxyLimits = PROXY_LIMITS,
): Promise<Proxy> {
  const exchanges = new Set<Exchange>();
  /** Requests at a time of each network. */
  const running = new Map<string, number>();
  let largeBodies = 0;
  const slowClients = new SlowClients(limits);
  const timer = setInterval(() => slowClients.check(exchanges, performance.now()), limits.checkMs);
  // Of all a trusted proxy's connections, each may carry another caller.
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
    const grant = corsGrant(allowed, request.headers.origin ?? null);
    const url = target();
    const address = callerAddress(request, trustedProxy);
    const network = trustedProxy ? networkOf(address) : connections.networkOf(socket);
    const count = running.get(network) ?? 0;
    const destination = { target: url ?? new URL('http://127.0.0.1'), address, grant };
    const exchange = new Exchange(request, response, destination, () => {
      exchanges.delete(exchange);
      const left = running.get(network)! - 1;
      if (left > 0) running.set(network, left);
      else running.delete(network);
    });
    exchanges.add(exchange);
    running.set(network, count + 1);
    if (!url) {
      exchange.refuse(503, 'The service is starting or restarting. Try again in a moment.');
    } else if (count >= limits.perNetwork) {
      exchange.refuse(...tooMany('network'));
    } else if (exchanges.size > limits.total && request.url !== '/health') {
      exchange.refuse(...tooMany('total'));
    } else if (exchange.isLarge && largeBodies >= limits.largeBodies) {
      exchange.refuse(503, 'Too many uploads are in progress. Try again in a few seconds.');
    } else {
      if (exchange.isLarge) {
        largeBodies += 1;
        request.once('close', () => {
          largeBodies -= 1;
        });
      }
      exchange.start();
    }
  }

  function newServer(): http.Server {
    const server = http.createServer(
      {
        headersTimeout: limits.headersMs,
        requestTimeout: Math.max(REQUEST_MS, limits.headersMs),
        keepAliveTimeout: KEEP_ALIVE_MS,
        // TCP asks whether a client that says nothing is still there.
        keepAlive: true,
        keepAliveInitialDelay: KEEP_ALIVE_MS,
        connectionsCheckingInterval: limits.checkMs,
      },
      forward,
    );
    server.on('clientError', (error, socket) => refuseUnreadable(error, socket, allowed));
    // Node's own listener reads requests from the connection; it is called once there is room for it.
    const [read] = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket) => {
      serverOf.set(socket, (served) => read!.call(server, served));
      connections.accept(socket);
    });
    return server;
  }

  const servers = await listenOn(hosts, port, newServer);
  return {
    port: (servers[0]!.address() as AddressInfo).port,
    close: () => {
      clearInterval(timer);
      for (const server of servers) server.close();
      connections.close();
    },
  };
}

/** One server for each host, all on the same port. */
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
      // A machine without IPv6 has no ::1.
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
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const tooMany = (full: Full): [429 | 503, string] =>
  full === 'network'
    ? [429, 'Too many connections from your address. Close some and try again.']
    : [503, 'Too many connections are open. Try again in a few seconds.'];

/** The grant where nobody has told an `Origin`. */
const anyOrigin = (allowed: AllowedOrigins) => corsGrant(allowed, null);

/** What Node could not read as a request is answered as any other error is, and the connection closed. */
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
    refuseConnection(socket, 431, 'The request headers are larger than 16 KB.', grant);
  } else if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    refuseConnection(socket, 408, 'The request took too long to arrive.', grant);
  } else {
    refuseConnection(socket, 400, 'This is not a readable HTTP request.', grant);
  }
}
