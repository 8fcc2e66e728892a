import { EventEmitter } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as parsed } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { hold, release } from './held-sockets.ts';
import { JoinedPieces } from './joined-pieces.ts';

/** Creates a request body and a fake connection to workerd, which may report that its buffer is full. */
function body() {
  const methods = { pause: vi.fn(), resume: vi.fn() };
  const socket = Object.assign(new EventEmitter(), methods) as unknown as Socket;
  const from = Object.assign(new EventEmitter(), { socket });
  const written: string[] = [];
  const to = Object.assign(new EventEmitter(), {
    isFull: false,
    writableNeedDrain: false,
    end: vi.fn(),
    write(bytes: Buffer) {
      written.push(String(bytes));
      return !to.isFull;
    },
  });
  const onMany = vi.fn();
  const joined = new JoinedPieces(from as unknown as IncomingMessage, onMany);
  const forward = () => joined.forwardTo(to as unknown as ClientRequest);
  const send = (count: number) => {
    for (let piece = 0; piece < count; piece += 1) from.emit('data', Buffer.from('x'));
  };
  return { socket, from, to, written, onMany, forward, send };
}

it('pieces that arrive together are written at once and in order', async () => {
  const { from, to, written, forward } = body();
  forward();
  for (let piece = 0; piece < 200; piece += 1) from.emit('data', Buffer.from(`${piece} `));
  from.emit('end');
  await parsed();
  expect(written).toEqual([Array.from({ length: 200 }, (_, piece) => `${piece} `).join('')]);
  expect(to.end).toHaveBeenCalled();
});

it('the socket is not read until its body is forwarded, even if the hold of its network ends', async () => {
  const { socket, written, forward, send } = body();
  send(100);
  await parsed();
  expect(socket.pause).toHaveBeenCalled();
  hold(socket, 'network');
  release(socket, 'network');
  expect(socket.resume).not.toHaveBeenCalled();
  forward();
  expect(written).toEqual(['x'.repeat(100)]);
  expect(socket.resume).toHaveBeenCalledTimes(1);
});

it('the socket is not read while workerd has no capacity', async () => {
  const { socket, to, forward, send } = body();
  forward();
  to.isFull = true;
  send(3);
  await parsed();
  hold(socket, 'network');
  release(socket, 'network');
  expect(socket.resume).not.toHaveBeenCalled();
  to.emit('drain');
  expect(socket.resume).toHaveBeenCalledTimes(1);
});

it('the socket is read again when its body has ended', async () => {
  const { socket, from, send } = body();
  send(1);
  await parsed();
  from.emit('end');
  expect(socket.resume).toHaveBeenCalledTimes(1);
});

it('more than 1,000 pieces in one write are reported', async () => {
  const { onMany, forward, send } = body();
  forward();
  send(500);
  await parsed();
  expect(onMany).not.toHaveBeenCalled();
  send(501);
  await parsed();
  expect(onMany).toHaveBeenCalledTimes(1);
});
