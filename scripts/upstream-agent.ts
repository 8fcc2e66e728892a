/** Manages the connections to workerd. */
import http from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ignores failed writes of request bodies. workerd may respond before it has read the body, and close the connection.
 * Sending more of the body then fails, and Node would discard the response that has already arrived.
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
