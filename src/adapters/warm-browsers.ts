/** Keeps a browser that has drawn a page without trouble for the next capture; any other is closed. */
import type { Browser, BrowserWorker, Page } from '@cloudflare/puppeteer';
import { unavailable } from '../core/errors.ts';

/** Bounds how long a browser process that a page has tampered with serves other callers. */
const MAX_CAPTURES = 10;
const MAX_AGE_MS = 5 * 60_000;
/** Idle browsers to retain; each takes about 150 MB. */
const IDLE_BROWSERS = 1;
/** A healthy browser answers at once. */
const CONNECT_MS = 5000;
/** A new browser opens its first page within this time, even on a busy machine. */
const LAUNCH_MS = 20_000;
const RETURN_MS = 5000;
const CLOSE_MS = 2000;
/** An address where nothing listens: requests that bypass the guard end there. */
const DEAD_PROXY = { proxyServer: 'http://127.0.0.1:1', proxyBypassList: ['<-loopback>'] };

/** Loaded at the first capture, because puppeteer is larger than the rest of the Worker. */
const loadPuppeteer = async () => (await import('@cloudflare/puppeteer')).default;

interface Resting {
  sessionId: string;
  /** The browser's own user agent. */
  agent: string;
  captures: number;
  /** When its process was launched. */
  launched: number;
  since: number;
}

export interface TakenBrowser {
  browser: Browser;
  /** Blank, in an unused context. */
  page: Page;
  agent: string;
  captures: number;
  launched: number;
}

/** 429 is Browser Run's limit of concurrent browsers, or of new ones per minute. */
const noBrowser = (cause: unknown) =>
  /\b429\b/.test(String(cause))
    ? unavailable('All browsers are in use. Try again in a moment.', 20, cause)
    : unavailable('The browser is not responding. Try again in a moment.', 5, cause);

export class WarmBrowsers {
  readonly #binding: BrowserWorker;
  readonly #resting: Resting[] = [];

  constructor(binding: BrowserWorker) {
    this.#binding = binding;
  }

  get idle(): number {
    return this.#resting.length;
  }

  /** A browser for exclusive use: an idle one, or a new one. Throws 503 if there is none. */
  async take(): Promise<TakenBrowser> {
    const puppeteer = await loadPuppeteer();
    for (let rested = this.#resting.pop(); rested; rested = this.#resting.pop()) {
      const taken = await this.#connect(rested);
      if (taken && !isOld(taken)) return taken;
      if (taken) await close(taken.browser);
    }
    // On Cloudflare the session itself has no network access; Miniflare's browser only has the unreachable proxy.
    const launching = puppeteer.launch(this.#binding, { guardrails: { allowedDomains: [] } });
    const browser = await within(LAUNCH_MS, launching).catch((error) => {
      launching.then(close).catch(() => {});
      throw noBrowser(error);
    });
    try {
      const known = Promise.all([browser.userAgent(), blankPage(browser)]);
      const [agent, page] = await within(LAUNCH_MS, known);
      return { browser, page, agent, captures: 0, launched: Date.now() };
    } catch (error) {
      await close(browser);
      throw noBrowser(error);
    }
  }

  /**
   * Releases a browser whose page has been drawn: it is kept for a later capture, or closed.
   * @param waiting how many captures have no browser yet
   */
  async release(taken: TakenBrowser, waiting: number): Promise<void> {
    const isSpent = taken.captures + 1 >= MAX_CAPTURES || isOld(taken);
    if (isSpent || this.#resting.length >= Math.max(IDLE_BROWSERS, waiting)) {
      return close(taken.browser);
    }
    try {
      this.#resting.push(await within(RETURN_MS, emptied(taken)));
    } catch {
      await close(taken.browser);
    }
  }

  /** Closes the browsers that have been idle since before this time. */
  async closeIdle(before: number): Promise<void> {
    const idle = this.#resting.filter(({ since }) => since < before);
    for (const rested of idle) this.#resting.splice(this.#resting.indexOf(rested), 1);
    for (const rested of idle) {
      const taken = await this.#connect(rested);
      if (taken) await close(taken.browser);
    }
  }

  /** Returns undefined if the browser is gone, or if a context is left in it. */
  async #connect(rested: Resting): Promise<TakenBrowser | undefined> {
    const puppeteer = await loadPuppeteer();
    const connecting = puppeteer.connect(this.#binding, rested.sessionId);
    const browser = await within(CONNECT_MS, connecting).catch(() => undefined);
    // If the connection succeeds after the time limit, nothing uses it.
    if (!browser) {
      connecting.then(close).catch(() => {});
      return undefined;
    }
    const page = await within(CONNECT_MS, onlyPage(browser)).catch(() => undefined);
    const { agent, captures, launched } = rested;
    if (page) return { browser, page, agent, captures, launched };
    await close(browser);
    return undefined;
  }
}

const isOld = ({ launched }: TakenBrowser) => Date.now() - launched > MAX_AGE_MS;

/** Ends the browser, whatever state it is in. */
export async function close(browser: Browser): Promise<void> {
  await within(CLOSE_MS, browser.close()).catch(() => {});
}

/** Closes the capture's context and disconnects from the browser. */
async function emptied({
  browser,
  page,
  agent,
  captures,
  launched,
}: TakenBrowser): Promise<Resting> {
  await page.browserContext().close();
  const sessionId = browser.sessionId();
  // A connection belongs to the request that opened it; the session outlives it.
  await browser.disconnect();
  return { sessionId, agent, captures: captures + 1, launched, since: Date.now() };
}

/** Opens a blank page in a new context. */
async function blankPage(browser: Browser): Promise<Page> {
  const context = await browser.createBrowserContext(DEAD_PROXY);
  return context.newPage();
}

/** Returns the blank page, or undefined if an earlier capture left a context. */
async function onlyPage(browser: Browser): Promise<Page | undefined> {
  return browser.browserContexts().length > 1 ? undefined : blankPage(browser);
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
