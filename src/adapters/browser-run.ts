/** The browser port on Cloudflare's Browser Run: a fresh browser for every capture, behind the guard, within a budget. */
import type { Browser, BrowserWorker } from '@cloudflare/puppeteer';
import { farSideFailed, ToolError, unavailable } from '../core/errors.ts';
import type { BrowserPort, CaptureOptions, EgressPort } from '../core/ports.ts';
import { BrowserGuard, type Cdp } from './browser-guard.ts';
import { capturePage } from './capture-page.ts';

const BUDGET_MS = 50_000;
const AT_ONCE = 4;
const WAITING = 16;
const MAX_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 20;
const RETRY_SECONDS = 10;
/** A place where nobody listens: what the guard does not see ends there. */
const DEAD_PROXY = { proxyServer: 'http://127.0.0.1:1', proxyBypassList: ['<-loopback>'] };

/** Loaded at the first capture: puppeteer is larger than the rest of the Worker. */
const loadPuppeteer = async () => (await import('@cloudflare/puppeteer')).default;

export class BrowserRun implements BrowserPort {
  readonly isOn: boolean;
  readonly #binding: BrowserWorker;
  readonly #egress: EgressPort;
  readonly #fallback: string | undefined;
  #inside = 0;
  #running = 0;

  /** @param fallback an address with `{url}` and `{width}` in it */
  constructor(
    binding: BrowserWorker,
    egress: EgressPort,
    settings: { isOn: boolean; fallback: string | undefined },
  ) {
    this.#binding = binding;
    this.#egress = egress;
    this.isOn = settings.isOn;
    this.#fallback = settings.fallback;
  }

  fallbackFor(url: string, width: number): string | undefined {
    return this.#fallback
      ?.replaceAll('{url}', encodeURIComponent(url))
      .replaceAll('{width}', String(width));
  }

  async capture(url: URL, options: CaptureOptions, signal: AbortSignal): Promise<Uint8Array> {
    if (this.#inside >= AT_ONCE + WAITING) throw busy();
    this.#inside += 1;
    try {
      await this.#turn(signal);
      try {
        return await this.#captureNow(url, options, signal);
      } finally {
        this.#running -= 1;
      }
    } finally {
      this.#inside -= 1;
    }
  }

  /** Waits for a place. Looked for again and again: a promise of another request may never settle. */
  async #turn(signal: AbortSignal): Promise<void> {
    const end = Date.now() + MAX_WAIT_MS;
    while (this.#running >= AT_ONCE) {
      await scheduler.wait(LOOK_AGAIN_MS, { signal });
      if (Date.now() > end) throw busy();
    }
    this.#running += 1;
  }

  async #captureNow(url: URL, options: CaptureOptions, signal: AbortSignal): Promise<Uint8Array> {
    const ended = new AbortController();
    const budget = AbortSignal.any([signal, ended.signal, AbortSignal.timeout(BUDGET_MS)]);
    let browser: Browser | undefined;
    const work = (async () => {
      const puppeteer = await loadPuppeteer();
      // At Cloudflare the session itself may go nowhere; Miniflare's browser has the dead proxy alone.
      browser = await puppeteer.launch(this.#binding, { guardrails: { allowedDomains: [] } });
      if (budget.aborted) await browser.close();
      const context = await browser.createBrowserContext(DEAD_PROXY);
      const page = await context.newPage();
      const session = await page.createCDPSession();
      const cdp = session.connection() as unknown as Cdp;
      const guard = new BrowserGuard(cdp, this.#egress, budget);
      await guard.stand();
      await cdp.send('Browser.setDownloadBehavior', {
        behavior: 'deny',
        browserContextId: context.id,
      });
      return capturePage(page, guard, url, options);
    })();
    try {
      return await Promise.race([work, aborted(budget)]);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolError) throw error;
      throw budget.aborted
        ? farSideFailed(`The page could not be drawn within ${BUDGET_MS / 1000} seconds.`)
        : farSideFailed('The page could not be drawn.', error);
    } finally {
      ended.abort();
      work.catch(() => {});
      await browser?.close().catch(() => {});
    }
  }
}

const busy = () =>
  unavailable(`All browsers are busy. Try again in ${RETRY_SECONDS} seconds.`, RETRY_SECONDS);

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
