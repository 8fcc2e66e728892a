/**
 * Provides fake upstream servers on loopback: one that responds by host and path, and one that only counts connections.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type ListenOptions } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface Upstream {
  port: number;
  /** `METHOD host path` of every request, in order. */
  seen: string[];
  requests: IncomingMessage[];
  close(): Promise<void>;
}

/**
 * Starts a server that responds with `answers`, by `host/path`, then by `/path`. It uses a free port unless `port` is
 * given.
 */
export async function openUpstream(
  answers: Record<string, Answer | string>,
  port = 0,
): Promise<Upstream> {
  const seen: string[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0]!;
    seen.push(`${request.method} ${request.headers.host} ${request.url}`);
    requests.push(request);
    const answer = answers[`${request.headers.host}${path}`] ?? answers[path];
    if (answer === undefined) response.writeHead(404, { 'Content-Type': 'text/plain' }).end('none');
    else if (typeof answer === 'string') html(response, answer);
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends an HTML page. */
export function html(
  response: ServerResponse,
  page: string | Uint8Array,
  type = 'text/html; charset=utf-8',
): void {
  response.writeHead(200, { 'Content-Type': type }).end(page);
}

export const redirect =
  (location: string, status = 302): Answer =>
  (_, response) =>
    void response.writeHead(status, { Location: location }).end();

/**
 * Starts a server that no tool may connect to, and counts its connections. It uses a free port unless `where` specifies
 * one.
 */
export async function openForbidden(where: ListenOptions = { port: 0 }): Promise<{
  port: number;
  connections: () => number;
  /** The paths of the received requests. */
  paths: string[];
  close(): Promise<void>;
}> {
  let connections = 0;
  const paths: string[] = [];
  const server = createSocketServer((socket) => {
    connections += 1;
    socket.once('data', (data) => paths.push(data.toString('latin1').split(' ', 2)[1] ?? ''));
    socket.end(
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 22\r\n\r\n<title>secret</title>\n',
    );
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    paths,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
