/** Limits what pages make a browser send to the Worker, where each message takes CPU time from other callers. */
import type { BrowserWorker } from '@cloudflare/puppeteer';

/** A page with 1,000 requests causes about 12,000 messages. */
const MOST_MESSAGES = 20_000;
const MOST_CHARACTERS = 64 * 2 ** 20;
/** The start of an answer to a command. Pages cause all other messages. */
const ANSWER = '{"id":';

export class BrowserTraffic {
  /** Drops the messages of pages that exceed the limits. */
  readonly binding: BrowserWorker;
  /** Called when a page exceeds a limit. */
  onExcess: (() => void) | undefined;
  #messages = 0;
  #characters = 0;

  constructor(binding: BrowserWorker) {
    this.binding = {
      fetch: async (...request: Parameters<BrowserWorker['fetch']>) => {
        const response = await binding.fetch(...request);
        response.webSocket?.addEventListener('message', (event) => this.#count(event));
        return response;
      },
    };
  }

  /** Drops all further messages of pages. */
  end(): void {
    this.#messages = Number.POSITIVE_INFINITY;
  }

  #count(event: MessageEvent): void {
    const message = event.data as string;
    if (message.startsWith(ANSWER)) return;
    this.#messages += 1;
    this.#characters += message.length;
    if (this.#messages <= MOST_MESSAGES && this.#characters <= MOST_CHARACTERS) return;
    event.stopImmediatePropagation();
    this.onExcess?.();
  }
}
