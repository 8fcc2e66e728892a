/** Browsers between captures: one that is healthy after a capture stays open for the next, any other is closed. */
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
/** The response to the last capture has priority: nothing is prepared while it is stored and sent. */
const ANSWER_MS = 100;
const CLOSE_MS = 2000;
const LOOK_AGAIN_MS = 5;
/** An address where nothing listens: requests that bypass the guard end there. */
const DEAD_PROXY = { proxyServer: 'http://127.0.0.1:1', proxyBypassList: ['<-loopback>'] };
const BLANK = 'about:blank';

/** Loaded at the first capture, because puppeteer is larger than the rest of the Worker. */
const loadPuppeteer = async () => (await import('@cloudflare/puppeteer')).default;

interface Resting {
  sessionId: string;
  /** The context of the next capture, with its page and nothing else in it. */
  contextId: string;
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

const allTaken = (cause: unknown) =>
  unavailable('All browsers are taken just now. Try again in a moment.', 20, cause);

export class WarmBrowsers {
  readonly #binding: BrowserWorker;
  readonly #resting: Resting[] = [];
  /** When those began that are being made ready to rest. */
  readonly #returning = new Set<{ since: number }>();

  constructor(binding: BrowserWorker) {
    this.#binding = binding;
  }

  /** A browser for exclusive use: an idle one, or a new one. */
  async take(): Promise<TakenBrowser> {
    const puppeteer = await loadPuppeteer();
    while (this.#resting.length > 0 || this.#isOneReturning()) {
      const rested = this.#resting.pop();
      if (!rested) await scheduler.wait(LOOK_AGAIN_MS);
      const taken = rested && (await this.#connect(rested));
      if (taken && !isOld(taken)) return taken;
      if (taken) await close(taken.browser);
    }
    // On Cloudflare the session itself has no network access; Miniflare's browser only has the dead proxy.
    const browser = await puppeteer
      .launch(this.#binding, { guardrails: { allowedDomains: [] } })
      .catch((error) => {
        // Browser Run's limit of concurrent browsers, or of new ones per minute.
        throw /\b429\b/.test(String(error)) ? allTaken(error) : error;
      });
    try {
      const known = Promise.all([browser.userAgent(), blankPage(browser)]);
      const [agent, page] = await within(LAUNCH_MS, known);
      return { browser, page, agent, captures: 0, launched: Date.now() };
    } catch (error) {
      await close(browser);
      throw error;
    }
  }

  /**
   * Takes a browser back whose page has been drawn, and makes it ready for the next one.
   * @param wanted how many captures have no browser yet
   */
  async returnBrowser(taken: TakenBrowser, wanted: () => number): Promise<void> {
    const { browser } = taken;
    const atRest = this.#resting.length + this.#returning.size;
    const isSpent = taken.captures + 1 >= MAX_CAPTURES || isOld(taken);
    if (isSpent || atRest >= Math.max(IDLE_BROWSERS, wanted())) return close(browser);
    const mark = { since: Date.now() };
    this.#returning.add(mark);
    try {
      const start = Date.now();
      while (wanted() === 0 && Date.now() - start < ANSWER_MS) await scheduler.wait(LOOK_AGAIN_MS);
      this.#resting.push(await within(RETURN_MS, madeReady(taken)));
    } catch {
      await close(browser);
    } finally {
      this.#returning.delete(mark);
    }
  }

  /** Closes those that have been at rest since before this moment. */
  async closeIdle(before: number): Promise<void> {
    const idle = this.#resting.filter(({ since }) => since < before);
    for (const rested of idle) this.#resting.splice(this.#resting.indexOf(rested), 1);
    for (const rested of idle) {
      const taken = await this.#connect(rested);
      if (taken) await close(taken.browser);
    }
  }

  /** One whose request was ended from outside tells nothing any more. */
  #isOneReturning(): boolean {
    return [...this.#returning].some(({ since }) => Date.now() - since < RETURN_MS);
  }

  /** Undefined where the browser is gone, or does not look as it was left. */
  async #connect(rested: Resting): Promise<TakenBrowser | undefined> {
    const puppeteer = await loadPuppeteer();
    const connecting = puppeteer.connect(this.#binding, rested.sessionId);
    const browser = await within(CONNECT_MS, connecting).catch(() => undefined);
    // Who comes too late is not wanted any more.
    if (!browser) {
      connecting.then(close).catch(() => {});
      return undefined;
    }
    const page = await within(CONNECT_MS, pageLeftIn(browser, rested)).catch(() => undefined);
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

/** Leaves nothing in the browser but the blank page of the next capture, and lets go of it. */
async function madeReady({
  browser,
  page,
  agent,
  captures,
  launched,
}: TakenBrowser): Promise<Resting> {
  const [contextId] = await Promise.all([openBlank(browser), page.browserContext().close()]);
  const sessionId = browser.sessionId();
  // A connection belongs to the request that opened it; the session outlives it.
  await browser.disconnect();
  return { sessionId, contextId, agent, captures: captures + 1, launched, since: Date.now() };
}

/** Begins a page in a context of its own, and does not wait until it is there. Gives the context's id. */
async function openBlank(browser: Browser): Promise<string> {
  const [session, context] = await Promise.all([
    browser.target().createCDPSession(),
    browser.createBrowserContext(DEAD_PROXY),
  ]);
  await session.send('Target.createTarget', { url: BLANK, browserContextId: context.id });
  return context.id!;
}

async function blankPage(browser: Browser): Promise<Page> {
  const context = await browser.createBrowserContext(DEAD_PROXY);
  return context.newPage();
}

/** The blank page that was left, where there is no other context and no other page. */
async function pageLeftIn(browser: Browser, { contextId }: Resting): Promise<Page | undefined> {
  const [, context, ...others] = browser.browserContexts();
  if (context?.id !== contextId || others.length > 0) return undefined;
  const [page, ...more] = await context.pages();
  return page?.url() === BLANK && more.length === 0 ? page : undefined;
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
