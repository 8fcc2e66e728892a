import { expect, it } from 'vitest';
import type { Exchange } from './proxy-exchange.ts';
import { SLOW_LIMITS, SlowClients } from './slow-clients.ts';

/** Reads a response at a steady rate. Returns the number of seconds until the proxy aborts it, at most 600. */
function secondsOfReading(bytesPerSecond: number): number {
  let destroyed = false;
  const socket = { bytesWritten: 0, writableLength: 0, destroy: () => (destroyed = true) };
  const exchange = { socket, waitsFor: () => 'response' } as unknown as Exchange;
  const clients = new SlowClients(SLOW_LIMITS);
  for (let second = 0; second < 600; second++) {
    clients.check([exchange], second * 1000);
    if (destroyed) return second;
    socket.bytesWritten += bytesPerSecond;
  }
  return 600;
}

it.each([
  [0, 60],
  [1, 60],
  [2000, 60],
  [17_000, 600],
])('a client that reads %i bytes a second is disconnected after %i s', (rate, seconds) => {
  expect(secondsOfReading(rate)).toBe(seconds);
});
