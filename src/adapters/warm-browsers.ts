/** Browsers between captures: one that has drawn a page well is kept for the next one, any other is closed. */
import type { Browser, BrowserWorker } from '@cloudflare/puppeteer';
import { unavailable } from '../core/errors.ts';

/** However well it has served, a browser is not kept for ever. */
const MOST_CAPTURES = 50;
/** Kept where nobody waits for one: a browser at rest takes some 150 MB. */
const KEPT_AT_REST = 1;
/** A browser that is well answers at once. */
const CONNECT_MS = 5000;
const CLOSE_MS = 2000;

/** Loaded at the first capture: puppeteer is larger than the rest of the Worker. */
const loadPuppeteer = async () => (await import('@cloudflare/puppeteer')).default;

interface Resting {
  sessionId: string;
  captures: number;
  since: number;
}

export interface TakenBrowser {
  browser: Browser;
  captures: number;
}

const allTaken = (cause: unknown) =>
  unavailable('All browsers are taken just now. Try again in a moment.', 20, cause);

export class WarmBrowsers {
  readonly #binding: BrowserWorker;
  readonly #resting: Resting[] = [];

  constructor(binding: BrowserWorker) {
    this.#binding = binding;
  }

  /** A browser that nobody else has: one at rest, or a new one. */
  async take(): Promise<TakenBrowser> {
    const puppeteer = await loadPuppeteer();
    for (let rested = this.#resting.pop(); rested; rested = this.#resting.pop()) {
      const browser = await this.#connect(rested);
      if (browser) return { browser, captures: rested.captures };
    }
    // At Cloudflare the session itself may go nowhere; Miniflare's browser has the dead proxy alone.
    const browser = await puppeteer
      .launch(this.#binding, { guardrails: { allowedDomains: [] } })
      .catch((error) => {
        // Browser Run's own limit of browsers at once, or of new ones a minute.
        throw /\b429\b/.test(String(error)) ? allTaken(error) : error;
      });
    return { browser, captures: 0 };
  }

  /** Takes a browser back whose only context of a capture is closed; `isWanted`: another capture waits for it. */
  async giveBack({ browser, captures }: TakenBrowser, isWanted: boolean): Promise<void> {
    const isSpent = captures + 1 >= MOST_CAPTURES;
    if (isSpent || (!isWanted && this.#resting.length >= KEPT_AT_REST)) return close(browser);
    const sessionId = browser.sessionId();
    // A connection belongs to the request that made it; the session outlives it.
    await browser.disconnect();
    this.#resting.push({ sessionId, captures: captures + 1, since: Date.now() });
  }

  /** Closes those that have been at rest since before this moment. */
  async closeIdle(before: number): Promise<void> {
    const idle = this.#resting.filter(({ since }) => since < before);
    for (const rested of idle) this.#resting.splice(this.#resting.indexOf(rested), 1);
    for (const rested of idle) {
      const browser = await this.#connect(rested);
      if (browser) await close(browser);
    }
  }

  /** Undefined where the browser is gone, or does not look as it was left. */
  async #connect({ sessionId }: Resting): Promise<Browser | undefined> {
    const puppeteer = await loadPuppeteer();
    const connecting = puppeteer.connect(this.#binding, sessionId);
    const browser = await within(CONNECT_MS, connecting).catch(() => undefined);
    // Who comes too late is not wanted any more.
    if (!browser) connecting.then(close).catch(() => {});
    if (browser && browser.browserContexts().length > 1) {
      await close(browser);
      return undefined;
    }
    return browser;
  }
}

/** Ends the browser, whatever state it is in. */
export async function close(browser: Browser): Promise<void> {
  await within(CLOSE_MS, browser.close()).catch(() => {});
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = scheduler.wait(ms, { signal: over.signal }).then(() => {
    throw new Error(`no answer in ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => {});
  }
}
