/** Opens the HTTP servers on which the proxy receives connections. */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AllowedOrigins } from '../src/core/allowed-origins.ts';
import type { ProxyLimits } from './proxy-limits.ts';
import { anyOrigin, refuseConnection } from './proxy-refusals.ts';

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

interface ServerSettings {
  allowed: AllowedOrigins;
  limits: ProxyLimits;
  /** Decides whether to serve a new connection, whose data has not been read. `serve` starts to read it. */
  accept(socket: Socket, serve: () => void): void;
  forward(request: http.IncomingMessage, response: http.ServerResponse): void;
}

/** Opens one server for each host, all on the same port. Rejects if it cannot listen. */
export async function openServers(
  hosts: readonly string[],
  port: number,
  settings: ServerSettings,
): Promise<http.Server[]> {
  const servers: http.Server[] = [];
  for (const host of hosts) {
    const server = newServer(settings);
    const [first] = servers;
    try {
      await listen(server, host, first ? (first.address() as AddressInfo).port : port);
    } catch (error) {
      // A machine without IPv6 has no ::1 address.
      if (first && /EADDRNOTAVAIL|EAFNOSUPPORT/.test(String(error))) continue;
      for (const open of servers) open.close();
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

/** Creates a server that responds with an error to data that is not an HTTP request. */
function newServer({ allowed, limits, accept, forward }: ServerSettings): http.Server {
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
  server.on('connect', (_, socket) => {
    const message =
      'CONNECT is not supported: this is not a forward proxy. Send the request directly.';
    refuseConnection(socket, 400, message, anyOrigin(allowed));
  });
  // Node's own 417 response has no body. `Expect` is dropped like the other hop-by-hop headers.
  server.on('checkExpectation', forward);
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, allowed));
  acceptBeforeReading(server, accept);
  return server;
}

/** Makes the server read from a connection only after `accept` has called `serve`. */
function acceptBeforeReading(server: http.Server, accept: ServerSettings['accept']): void {
  // The bytes of a waiting connection stay in the operating system's buffer.
  (server as http.Server & { pauseOnConnect: boolean }).pauseOnConnect = true;
  // Node's own listener starts reading from a connection. It is removed here and called when the connection is
  // admitted.
  const [read] = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket) =>
    accept(socket, () => {
      read!.call(server, socket);
      socket.resume();
    }),
  );
}

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
  } else if (code === 'HPE_INVALID_EOF_STATE') {
    refuseConnection(
      socket,
      400,
      'The connection was closed before the whole request arrived. Check its Content-Length and send it again.',
      grant,
    );
  } else {
    refuseConnection(socket, 400, 'This is not a valid HTTP request. Use HTTP/1.1.', grant);
  }
}
