import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { hold, release } from './held-sockets.ts';

const openSocket = () =>
  Object.assign(new EventEmitter(), { pause: vi.fn(), resume: vi.fn() }) as unknown as Socket;

it('a socket resumes reading when all holds are released', () => {
  const socket = openSocket();
  release(socket, 'body');
  expect(socket.resume).not.toHaveBeenCalled();
  hold(socket, 'body');
  hold(socket, 'network');
  hold(socket, 'network');
  expect(socket.pause).toHaveBeenCalled();
  release(socket, 'network');
  expect(socket.resume).not.toHaveBeenCalled();
  release(socket, 'body');
  expect(socket.resume).toHaveBeenCalledTimes(1);
  release(socket, 'body');
  expect(socket.resume).toHaveBeenCalledTimes(1);
});

it('a held connection that is resumed by others is paused again', () => {
  const socket = openSocket();
  hold(socket, 'network');
  socket.emit('resume');
  expect(socket.pause).toHaveBeenCalledTimes(2);
  release(socket, 'network');
  socket.emit('resume');
  expect(socket.pause).toHaveBeenCalledTimes(2);
});
