/**
 * Keeps a connection paused while it has at least one holder: a paused network, or a request body that has not been
 * forwarded yet.
 */
import type { Socket } from 'node:net';

const holders = new WeakMap<Socket, Set<unknown>>();

/** Pauses the connection until all of its holders release it. */
export function hold(socket: Socket, holder: unknown): void {
  let ofSocket = holders.get(socket);
  if (!ofSocket) {
    ofSocket = new Set();
    holders.set(socket, ofSocket);
    socket.on('resume', () => pauseIfHeld(socket));
  }
  ofSocket.add(holder);
  socket.pause();
}

/** Node resumes a connection when a request body on it has been consumed, so a held connection is paused again. */
function pauseIfHeld(socket: Socket): void {
  if (holders.get(socket)?.size) socket.pause();
}

/** Resumes the connection if it has no other holders. Does nothing if `holder` does not hold the connection. */
export function release(socket: Socket, holder: unknown): void {
  const ofSocket = holders.get(socket);
  if (ofSocket?.delete(holder) && ofSocket.size === 0) socket.resume();
}
