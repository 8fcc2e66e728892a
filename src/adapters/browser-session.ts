/** Launches browsers, connects to idle browsers, and disconnects from them in a state that the next capture can use. */
import type { Browser, BrowserWorker, Page } from '@cloudflare/puppeteer';
import { unavailable } from '../core/errors.ts';
import type { BrowserSession } from './browser-pool.ts';
import { BrowserTraffic } from './browser-traffic.ts';

/**
 * The maximum number of captures and the maximum age of a browser. They limit how long a compromised browser process
 * can serve other callers.
 */
const MAX_CAPTURES = 10;
const MAX_AGE_MS = 5 * 60_000;
/** The time limit for connecting to an idle browser, in milliseconds. A healthy browser responds at once. */
const CONNECT_MS = 5000;
/**
 * The time limit for launching a browser and opening its first page, in milliseconds. It is long enough even for a busy
 * machine.
 */
const LAUNCH_MS = 20_000;
const RETURN_MS = 5000;
const CLOSE_MS = 2000;
/** The address of a proxy that does not exist. Requests that bypass the guard therefore fail. */
const DEAD_PROXY = { proxyServer: 'http://127.0.0.1:1', proxyBypassList: ['<-loopback>'] };

/** Puppeteer is imported on the first capture, because it is larger than the rest of the Worker. */
const loadPuppeteer = async () => (await import('@cloudflare/puppeteer')).default;

/** A browser that one capture uses exclusively. */
export interface OpenBrowser {
  browser: Browser;
  /** A blank page in a new context. */
  page: Page;
  traffic: BrowserTraffic;
  /** The state of the browser before this capture. */
  session: BrowserSession;
}

/** Browser Run returns 429 if its limit on concurrent or new browsers is reached. */
const noBrowser = (cause: unknown) =>
  /\b429\b/.test(String(cause))
    ? unavailable('All browsers are in use. Try again in a moment.', 20, cause)
    : unavailable('The browser is not responding. Try again in a moment.', 5, cause);

/** Launches a browser. Throws 503 if the browser does not start. */
export async function launch(binding: BrowserWorker): Promise<OpenBrowser> {
  const puppeteer = await loadPuppeteer();
  // On Cloudflare, the guardrails block the session's network access. With Miniflare, only the proxy address blocks it.
  const traffic = new BrowserTraffic(binding);
  const launching = puppeteer.launch(traffic.binding, { guardrails: { allowedDomains: [] } });
  const browser = await within(LAUNCH_MS, launching).catch((error) => {
    launching.then((late) => close(binding, late)).catch(() => {});
    throw noBrowser(error);
  });
  try {
    const known = Promise.all([browser.userAgent(), blankPage(browser)]);
    const [agent, page] = await within(LAUNCH_MS, known);
    const session = { id: browser.sessionId(), agent, captures: 0, launched: Date.now() };
    return { browser, page, traffic, session };
  } catch (error) {
    await close(binding, browser);
    throw noBrowser(error);
  }
}

/**
 * Connects to an idle browser. Returns undefined if the browser is gone, does not respond, is too old, or still has a
 * context from an earlier capture.
 */
export async function connect(
  binding: BrowserWorker,
  session: BrowserSession,
): Promise<OpenBrowser | undefined> {
  const traffic = new BrowserTraffic(binding);
  const browser = await connectTo(traffic.binding, session.id);
  if (!browser) return undefined;
  const page = isOld(session)
    ? undefined
    : await within(CONNECT_MS, onlyPage(browser)).catch(() => undefined);
  if (page) return { browser, page, traffic, session };
  await close(binding, browser);
  return undefined;
}

/**
 * Ends a successful capture and disconnects. Returns the browser's session. If the browser is too old, has made too
 * many captures or does not respond, closes it and returns undefined.
 */
export async function disconnect(open: OpenBrowser): Promise<BrowserSession | undefined> {
  const { browser, page, session, traffic } = open;
  const captures = session.captures + 1;
  if (captures < MAX_CAPTURES && !isOld(session)) {
    try {
      await within(RETURN_MS, page.browserContext().close());
      // The connection belongs to this request, but the session outlives it.
      await within(RETURN_MS, browser.disconnect());
      return { ...session, captures };
    } catch {
      // The browser did not respond within the time limit, so it is closed below.
    }
  }
  await close(traffic.binding, browser);
  return undefined;
}

/** Closes a browser through the platform, because a broken browser may flood the connection or not respond. */
export async function kill(binding: BrowserWorker, { traffic, session }: OpenBrowser) {
  traffic.end();
  if (!(await deleteSession(binding, session.id))) await closeSession(binding, session.id);
}

export async function closeSession(binding: BrowserWorker, id: string): Promise<void> {
  const browser = await connectTo(new BrowserTraffic(binding).binding, id);
  if (browser) await close(binding, browser);
  else await deleteSession(binding, id);
}

/** Closes a browser over its connection, or through the platform if it does not respond. */
async function close(binding: BrowserWorker, browser: Browser): Promise<void> {
  const closing = within(CLOSE_MS, browser.close());
  await closing.catch(() => deleteSession(binding, browser.sessionId()));
}

/**
 * Deletes the session. Returns whether the platform closed the browser. An open browser still counts against the
 * account's limit.
 */
async function deleteSession(binding: BrowserWorker, id: string): Promise<boolean> {
  const address = `https://browser.invalid/v1/devtools/browser/${id}`;
  const deleting = binding.fetch(address, { method: 'DELETE' });
  const isDone = deleting.then(async ({ ok, body }) => {
    await body?.cancel();
    return ok;
  });
  return within(CLOSE_MS, isDone).catch(() => false);
}

/** Connects to a browser. Returns undefined if the browser is gone or does not respond. */
async function connectTo(binding: BrowserWorker, id: string): Promise<Browser | undefined> {
  const puppeteer = await loadPuppeteer();
  const connecting = puppeteer.connect(binding, id);
  const browser = await within(CONNECT_MS, connecting).catch(() => undefined);
  // If the connection succeeds after the time limit, the browser is closed, because nothing uses it.
  if (!browser) connecting.then((late) => close(binding, late)).catch(() => {});
  return browser;
}

const isOld = ({ launched }: BrowserSession) => Date.now() - launched > MAX_AGE_MS;

/** Opens a blank page in a new context. */
async function blankPage(browser: Browser): Promise<Page> {
  const context = await browser.createBrowserContext(DEAD_PROXY);
  return context.newPage();
}

/** Opens a blank page in a new context. Returns undefined if an earlier capture has left a context behind. */
async function onlyPage(browser: Browser): Promise<Page | undefined> {
  return browser.browserContexts().length > 1 ? undefined : blankPage(browser);
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = scheduler.wait(ms, { signal: over.signal }).then(() => {
    throw new Error(`no response within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => {});
  }
}
