import type { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { hold, release } from './held-sockets.ts';

it('a socket resumes reading when all holds are released', () => {
  const socket = { pause: vi.fn(), resume: vi.fn() } as unknown as Socket;
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
