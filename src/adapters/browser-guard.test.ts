import { expect, it } from 'vitest';
import { BrowserGuard, type Cdp } from './browser-guard.ts';

it('limits a capture to 1,000 requests, 32 at a time, and refuses the others', async () => {
  let pause: Parameters<Cdp['on']>[1] = () => {};
  let fetched = 0;
  let open = 0;
  let mostOpen = 0;
  const ended: string[] = [];
  const cdp = {
    send: async (method: string) => {
      if (method !== 'Fetch.enable') ended.push(method);
    },
    on: (_: string, handler: typeof pause) => {
      pause = handler;
    },
  };
  const egress = {
    agent: 'test',
    exchange: async () => {
      fetched += 1;
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      await scheduler.wait(1);
      open -= 1;
      return new Response('x');
    },
  };
  const guard = new BrowserGuard(cdp, egress, new AbortController().signal, undefined);
  await guard.start();
  for (let count = 0; count < 1500; count += 1) {
    const request = { url: `http://a.test/${count}`, method: 'GET', headers: {} };
    pause({ requestId: `${count}`, frameId: 'main', resourceType: 'Image', request });
  }
  await expect.poll(() => ended.length).toBe(1500);
  expect(fetched).toBe(1000);
  expect(mostOpen).toBe(32);
  expect(ended.filter((method) => method === 'Fetch.failRequest')).toHaveLength(500);
});
