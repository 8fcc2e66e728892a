/** Pauses a connection while anything holds it: a paused network, or a body that is not forwarded yet. */
import type { Socket } from 'node:net';

const holders = new WeakMap<Socket, Set<unknown>>();

/** Pauses the connection until each of its holders releases it. */
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

/** Node resumes the connection of a request whose body has been consumed. */
function pauseIfHeld(socket: Socket): void {
  if (holders.get(socket)?.size) socket.pause();
}

/** Resumes the connection if no other holder is left. Does nothing if `holder` does not hold it. */
export function release(socket: Socket, holder: unknown): void {
  const ofSocket = holders.get(socket);
  if (ofSocket?.delete(holder) && ofSocket.size === 0) socket.resume();
}
