import { expect, it, vi } from 'vitest';
import { BrowserTraffic } from './browser-traffic.ts';

const EVENT = '{"method":"Runtime.consoleAPICalled"}';
const ANSWER = '{"id":1,"result":{}}';

/** A connection to a fake browser: `send` delivers a message of it, and `seen` are those that arrive. */
async function connection() {
  const webSocket = new EventTarget();
  const traffic = new BrowserTraffic({ fetch: async () => ({ webSocket }) as never });
  const onExcess = vi.fn();
  traffic.onExcess = onExcess;
  const response = await traffic.binding.fetch('https://browser.test');
  const seen: string[] = [];
  response.webSocket!.addEventListener('message', ({ data }) => seen.push(data as string));
  const send = (data: string) => webSocket.dispatchEvent(new MessageEvent('message', { data }));
  return { traffic, onExcess, seen, send };
}

it('passes 20,000 messages of a page, and no more', async () => {
  const { onExcess, seen, send } = await connection();
  for (let count = 0; count < 20_000; count += 1) send(EVENT);
  expect(seen).toHaveLength(20_000);
  expect(onExcess).not.toHaveBeenCalled();
  send(EVENT);
  expect(seen).toHaveLength(20_000);
  expect(onExcess).toHaveBeenCalled();
});

it('passes messages of a page of 64 MB together, and no more', async () => {
  const { onExcess, seen, send } = await connection();
  const message = EVENT.padEnd(2 ** 20);
  for (let count = 0; count < 65; count += 1) send(message);
  expect(seen).toHaveLength(64);
  expect(onExcess).toHaveBeenCalledOnce();
});

it('passes answers of any number and size', async () => {
  const { onExcess, seen, send } = await connection();
  const message = ANSWER.padEnd(2 ** 20);
  for (let count = 0; count < 30_000; count += 1) send(count % 300 === 0 ? message : ANSWER);
  expect(seen).toHaveLength(30_000);
  expect(onExcess).not.toHaveBeenCalled();
});

it('passes only answers after its end', async () => {
  const { traffic, seen, send } = await connection();
  traffic.end();
  send(EVENT);
  send(ANSWER);
  expect(seen).toEqual([ANSWER]);
});
