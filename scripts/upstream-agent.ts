/** Connections to workerd. */
import http from 'node:http';
import type { Socket } from 'node:net';

/**
 * workerd answers a request that it refuses before it has read its body, and closes the connection. Sending more then
 * fails, for which Node throws away the answer that is already there; here it is read first.
 */
export class UpstreamAgent extends http.Agent {
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
