/** Reads nothing of a connection while anything holds it: a network that rests, or a body that is not forwarded yet. */
import type { Socket } from 'node:net';

const holders = new WeakMap<Socket, Set<unknown>>();

/** `holder` is whatever later releases the connection. */
export function hold(socket: Socket, holder: unknown): void {
  const ofSocket = holders.get(socket) ?? new Set();
  holders.set(socket, ofSocket.add(holder));
  socket.pause();
}

/** Reads on unless something else holds the connection. Does nothing if `holder` does not hold it. */
export function release(socket: Socket, holder: unknown): void {
  const ofSocket = holders.get(socket);
  if (ofSocket?.delete(holder) && ofSocket.size === 0) socket.resume();
}
