/** Pauses a connection while anything holds it: a paused network, or a body that is not forwarded yet. */
import type { Socket } from 'node:net';

const holders = new WeakMap<Socket, Set<unknown>>();

/** Pauses the connection until each of its holders releases it. */
export function hold(socket: Socket, holder: unknown): void {
  const ofSocket = holders.get(socket) ?? new Set();
  holders.set(socket, ofSocket.add(holder));
  socket.pause();
}

/** Resumes the connection if no other holder is left. Does nothing if `holder` does not hold it. */
export function release(socket: Socket, holder: unknown): void {
  const ofSocket = holders.get(socket);
  if (ofSocket?.delete(holder) && ofSocket.size === 0) socket.resume();
}
