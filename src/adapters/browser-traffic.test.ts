import { expect, it, vi } from 'vitest';
import { BrowserTraffic } from './browser-traffic.ts';

const EVENT = '{"method":"Runtime.consoleAPICalled"}';
const ANSWER = '{"id":1,"result":{}}';

/**
 * Connects to a fake browser. `send` sends a message from the browser, and `seen` collects the messages that arrive.
 */
async function connection() {
  const close = vi.fn();
  const sent: string[] = [];
  const webSocket = Object.assign(new EventTarget(), {
    close,
    send: (text: string) => sent.push(text),
  });
  const traffic = new BrowserTraffic({ fetch: async () => ({ webSocket }) as never });
  const onExcess = vi.fn();
  traffic.onExcess = onExcess;
  const response = await traffic.binding.fetch('https://browser.test');
  const seen: string[] = [];
  response.webSocket!.addEventListener('message', ({ data }) => seen.push(data as string));
  const send = (data: string) => webSocket.dispatchEvent(new MessageEvent('message', { data }));
  return { traffic, onExcess, seen, send, close, sent, socket: response.webSocket! };
}

it('allows at most 3,000 messages from a page', async () => {
  const { onExcess, seen, send, close } = await connection();
  for (let count = 0; count < 3000; count += 1) send(EVENT);
  expect(seen).toHaveLength(3000);
  expect(onExcess).not.toHaveBeenCalled();
  send(EVENT);
  expect(seen).toHaveLength(3000);
  expect(onExcess).toHaveBeenCalled();
  expect(close).toHaveBeenCalledOnce();
});

it('allows at most 16 MB of messages from a page', async () => {
  const { onExcess, seen, send } = await connection();
  const message = EVENT.padEnd(2 ** 20);
  for (let count = 0; count < 17; count += 1) send(message);
  expect(seen).toHaveLength(16);
  expect(onExcess).toHaveBeenCalledOnce();
});

it('allows responses of any number and size', async () => {
  const { onExcess, seen, send } = await connection();
  const message = ANSWER.padEnd(2 ** 20);
  for (let count = 0; count < 30_000; count += 1) send(count % 300 === 0 ? message : ANSWER);
  expect(seen).toHaveLength(30_000);
  expect(onExcess).not.toHaveBeenCalled();
});

it('closes the connection when the session ends', async () => {
  const { traffic, onExcess, seen, send, close } = await connection();
  traffic.end();
  expect(close).toHaveBeenCalledOnce();
  send(EVENT);
  expect(seen).toEqual([]);
  expect(onExcess).not.toHaveBeenCalled();
});

it('enables only the events that it reads', async () => {
  const { sent, socket } = await connection();
  for (const domain of ['Network', 'Runtime', 'Log', 'Performance', 'Page', 'Fetch'])
    socket.send(`{"method":"${domain}.enable","id":1}`);
  expect(sent.map((text) => JSON.parse(text).method)).toEqual([
    ...['Network.disable', 'Runtime.disable', 'Log.disable', 'Performance.disable'],
    ...['Page.enable', 'Fetch.enable'],
  ]);
});
