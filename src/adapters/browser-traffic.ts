/** Limits the messages from a browser to the Worker, because each message takes CPU time from other callers. */
import type { BrowserWorker } from '@cloudflare/puppeteer';

/** The maximum number of messages that a page may cause. A page with 1,000 requests causes about 1,200 messages. */
const MAX_MESSAGES = 3000;
const MAX_CHARACTERS = 16 * 2 ** 20;
/** The beginning of a response to a command. Responses are not counted, because pages do not cause them. */
const ANSWER = '{"id":';
/**
 * Matches the commands with which Puppeteer enables events that captures do not use. These events would add nine
 * messages for each request that a page makes.
 */
const ENABLE_UNREAD = /"method":"(Network|Runtime|Log|Performance)\.enable"/;

export class BrowserTraffic {
  readonly binding: BrowserWorker;
  /** Called when a page exceeds a limit. The connection is then closed. */
  onExcess: (() => void) | undefined;
  #socket: WebSocket | undefined;
  #messages = 0;
  #characters = 0;

  constructor(binding: BrowserWorker) {
    this.binding = {
      fetch: async (...request: Parameters<BrowserWorker['fetch']>) => {
        const response = await binding.fetch(...request);
        if (response.webSocket) this.#watch(response.webSocket);
        return response;
      },
    };
  }

  /**
   * Closes the connection, because a browser that sends faster than workerd reads would delay timers and all other
   * callers.
   */
  end(): void {
    this.#messages = Number.POSITIVE_INFINITY;
    this.#socket?.close();
  }

  #watch(socket: WebSocket): void {
    this.#socket = socket;
    const send = socket.send.bind(socket);
    socket.send = (message: string) =>
      send(message.replace(ENABLE_UNREAD, '"method":"$1.disable"'));
    socket.addEventListener('message', (event) => this.#count(event));
  }

  #count(event: MessageEvent): void {
    const message = event.data as string;
    if (message.startsWith(ANSWER)) return;
    this.#messages += 1;
    this.#characters += message.length;
    if (this.#messages <= MAX_MESSAGES && this.#characters <= MAX_CHARACTERS) return;
    event.stopImmediatePropagation();
    if (this.#messages === Number.POSITIVE_INFINITY) return;
    this.end();
    this.onExcess?.();
  }
}
