import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFront } from './front.ts';

let seen: IncomingHttpHeaders = {};
const behind = createServer((request, response) => {
  seen = request.headers;
  request.resume();
  request.on('end', () => response.end('answer'));
});
let front: { port: number; close(): void };

beforeAll(async () => {
  await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
  const { port } = behind.address() as AddressInfo;
  front = await openFront(['127.0.0.1'], 0, () => new URL(`http://127.0.0.1:${port}`));
});

afterAll(() => {
  front.close();
  behind.close();
  behind.closeAllConnections();
});

describe('the door in front of workerd', () => {
  it('tells the caller’s own address, whatever the caller claims', async () => {
    await fetch(`http://127.0.0.1:${front.port}/`, {
      headers: { 'CF-Connecting-IP': '203.0.113.9', 'X-Forwarded-For': '203.0.113.9' },
    });
    expect(seen['cf-connecting-ip']).toBe('127.0.0.1');
  });

  it('hands on bodies and answers', async () => {
    const response = await fetch(`http://127.0.0.1:${front.port}/`, {
      method: 'POST',
      body: 'x'.repeat(1_000_000),
    });
    expect(await response.text()).toBe('answer');
    expect(seen['content-length']).toBe('1000000');
  });

  it('answers 503 with Retry-After where nothing is behind it yet', async () => {
    const early = await openFront(['127.0.0.1'], 0, () => undefined);
    const response = await fetch(`http://127.0.0.1:${early.port}/`);
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('5');
    early.close();
  });
});
