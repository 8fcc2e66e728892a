/**
 * The door of a service at home: HTTP in front of workerd, for the two things that workerd does not do by itself.
 * It tells the Worker who called (CF-Connecting-IP, never the client's word), and when the caller goes away it
 * resets the connection, which is the only departure that workerd notices before it has answered.
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long what a refused caller is still sending is read, so that the refusal reaches it. */
const LINGER_MS = 5000;

/**
 * workerd answers a request that it refuses before it has read its body, and closes the connection. Sending more then
 * fails, for which Node throws away the answer that is already there; here it is read first.
 */
class PatientAgent extends http.Agent {
  override createConnection(...args: Parameters<http.Agent['createConnection']>) {
    const socket = super.createConnection(...args) as Socket;
    const write = socket._write.bind(socket);
    const writev = socket._writev!.bind(socket);
    socket._write = (chunk, encoding, callback) => write(chunk, encoding, unlessBroken(callback));
    socket._writev = (chunks, callback) => writev(chunks, unlessBroken(callback));
    return socket;
  }
}

const unlessBroken =
  (callback: (error?: Error | null) => void) =>
  (error?: Error | null): void => {
    const { code } = (error ?? {}) as NodeJS.ErrnoException;
    callback(code === 'EPIPE' || code === 'ECONNRESET' ? null : error);
  };

const agent = new PatientAgent({ keepAlive: true, maxSockets: 512 });

const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'];

/** Listens on every address and hands on to `target`, as soon as there is one. Gives the port, and a function that stops. */
export async function openFront(
  hosts: readonly string[],
  port: number,
  target: () => URL | undefined,
  trustedProxy = false,
): Promise<{ port: number; close(): void }> {
  const servers: http.Server[] = [];
  let listening = port;
  for (const host of hosts) {
    const server = http.createServer((request, response) =>
      forward(request, response, target(), trustedProxy),
    );
    server.on('clientError', refuseUnreadable);
    server.requestTimeout = 0;
    server.keepAliveTimeout = 60_000;
    try {
      await listen(server, host, listening);
    } catch (error) {
      // A machine without IPv6 has no ::1.
      if (servers.length > 0 && /EADDRNOTAVAIL|EAFNOSUPPORT/.test(String(error))) continue;
      throw error;
    }
    servers.push(server);
    listening = (server.address() as AddressInfo).port;
  }
  return {
    port: listening,
    close: () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
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

function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  target: URL | undefined,
  trustedProxy: boolean,
): void {
  if (!target) {
    refuse(response);
    return;
  }
  const headers = { ...request.headers, 'cf-connecting-ip': addressOf(request, trustedProxy) };
  for (const name of HOP_BY_HOP) delete (headers as Record<string, unknown>)[name];
  const upstream = http.request({
    host: target.hostname,
    port: target.port,
    method: request.method,
    path: request.url,
    headers,
    agent,
  });
  let answered = false;
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headersOf(answer));
    answer.pipe(response);
    answer.on('error', () => response.destroy());
    answer.on('end', () => {
      answered = true;
      // Its connection cannot serve again: the rest of the request would be read as the next one.
      if (!request.complete) upstream.destroy();
    });
    if (!request.complete) drain(request, response);
  });
  upstream.on('error', () => {
    if (answered) return;
    if (response.headersSent) response.destroy();
    else refuse(response);
  });
  response.on('close', () => {
    if (!response.writableFinished) upstream.socket?.resetAndDestroy();
  });
  request.pipe(upstream);
  // Node sends the headers with the first of the body, for which a caller may wait to hear something.
  setImmediate(() => {
    if (!upstream.headersSent) upstream.flushHeaders();
  });
}

/** The answer is there before the whole request was read: the rest is read away for a while. */
function drain(request: http.IncomingMessage, response: http.ServerResponse): void {
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  request.on('close', () => clearTimeout(timer));
  response.on('finish', () => {
    if (request.complete) clearTimeout(timer);
  });
}

function headersOf(answer: http.IncomingMessage): http.OutgoingHttpHeaders {
  const headers: http.OutgoingHttpHeaders = { ...answer.headers };
  for (const name of HOP_BY_HOP) delete headers[name];
  return headers;
}

function refuse(response: http.ServerResponse): void {
  const requestId = randomUUID();
  response.writeHead(503, {
    'Content-Type': 'application/json',
    'Retry-After': '5',
    'X-Request-Id': requestId,
    'Access-Control-Allow-Origin': '*',
  });
  response.end(
    JSON.stringify({
      error: 'The service is starting or restarting. Try again in a moment.',
      code: 'internal',
      requestId,
      retryAfter: 5,
    }),
  );
}

/** What Node could not read as a request is answered as any other error is, and the connection closed. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The request headers are larger than 16 KB.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request headers took too long to arrive.']
        : ['400 Bad Request', 'This is not an HTTP request that can be read.'];
  const requestId = randomUUID();
  const body = JSON.stringify({ error: message, code: 'bad_request', requestId });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `X-Request-Id: ${requestId}\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * The caller's own address; an IPv4 address that came over an IPv6 socket without its prefix. Headers are believed
 * where a proxy of the operator's is in front: the last forwarded address is the one that it saw itself, while
 * another header may be the client's own, handed through.
 */
function addressOf(request: http.IncomingMessage, trustedProxy: boolean): string {
  const { 'x-forwarded-for': forwarded, 'cf-connecting-ip': told } = request.headers;
  const last = withoutPort(
    String(forwarded ?? told ?? '')
      .split(',')
      .at(-1)!
      .trim(),
  );
  const address = trustedProxy && isIP(last) ? last : (request.socket.remoteAddress ?? '');
  return address.replace(/^::ffff:(?=[\d.]+$)/, '');
}

/** Some proxies write `203.0.113.7:4321` or `[2001:db8::1]:4321`. */
const withoutPort = (address: string) =>
  address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
