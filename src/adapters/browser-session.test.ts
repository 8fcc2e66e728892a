/**
 * Tests that a browser is closed over its connection if the platform fails to close it, and through the platform if its
 * connection fails.
 */
import type { BrowserWorker } from '@cloudflare/puppeteer';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeSession, kill, type OpenBrowser } from './browser-session.ts';
import { BrowserTraffic } from './browser-traffic.ts';

beforeEach(() => vi.spyOn(console, 'log').mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

/** Returns a fake Browser Run with one browser. `ended` records how the browser was closed. */
function platform({ refuses, isDeaf }: { refuses?: number; isDeaf?: boolean }) {
  const ended: string[] = [];
  const binding = {
    fetch: async (input: string | Request, init?: RequestInit) => {
      if (init?.method === 'DELETE') {
        if (refuses) return new Response('refused', { status: refuses });
        ended.push('DELETE');
        return Response.json({ status: 'closed' });
      }
      if (isDeaf) throw new Error(`no answer from ${input}`);
      const { 0: client, 1: server } = new WebSocketPair();
      server.accept();
      server.addEventListener('message', ({ data }) => {
        const { id, method } = JSON.parse(data as string) as { id: number; method: string };
        if (method === 'Browser.close') ended.push(method);
        server.send(JSON.stringify({ id, result: { product: 'Chrome', browserContextIds: [] } }));
      });
      return new Response(null, { status: 101, webSocket: client });
    },
  } as unknown as BrowserWorker;
  return { binding, ended };
}

const session = { id: 'a', agent: '', captures: 0, launched: 0 };
const openIn = (binding: BrowserWorker) =>
  ({ traffic: new BrowserTraffic(binding), session }) as unknown as OpenBrowser;

it('ends a failed browser through the platform', async () => {
  const { binding, ended } = platform({});
  await kill(binding, openIn(binding));
  expect(ended).toEqual(['DELETE']);
});

it.each([404, 409, 500])(
  'closes the browser over its connection when the platform returns %i',
  async (status) => {
    const { binding, ended } = platform({ refuses: status });
    await kill(binding, openIn(binding));
    expect(ended).toEqual(['Browser.close']);
  },
);

it('ends an idle browser that does not respond through the platform', async () => {
  const { binding, ended } = platform({ isDeaf: true });
  await closeSession(binding, 'a');
  expect(ended).toEqual(['DELETE']);
});
