/**
 * Implements the browser port with Cloudflare's Browser Run. Every capture gets a time limit and a new browser context,
 * whose requests go through the address guard.
 */
import { waitUntil } from 'cloudflare:workers';
import type { BrowserWorker, CDPSession } from '@cloudflare/puppeteer';
import type { Caller } from '../core/caller.ts';
import { ToolError, upstreamFailed } from '../core/errors.ts';
import type { BrowserPort, Capture, CaptureOptions, EgressPort } from '../core/ports.ts';
import type { Advertisements } from './advertisements.ts';
import { BrowserGuard, type Cdp } from './browser-guard.ts';
import { connect, disconnect, kill, launch, type OpenBrowser } from './browser-session.ts';
import { capturePage, preparePage } from './capture-page.ts';
import type { CaptureSlot, CaptureSlots } from './capture-slots.ts';
import { hideAdvertisements } from './hide-advertisements.ts';
import { type ShownDocument, ShownDocuments } from './shown-document.ts';

export class BrowserRun implements BrowserPort {
  readonly isOn: boolean;
  readonly #binding: BrowserWorker;
  readonly #slots: CaptureSlots;
  readonly #ads: Advertisements;
  readonly #egress: EgressPort;
  readonly #seconds: number;
  readonly #fallback: string | undefined;

  /**
   * @param settings the time limit of a capture in seconds, and the fallback, a URL template with `{url}` and `{width}`
   */
  constructor(
    binding: BrowserWorker,
    slots: CaptureSlots,
    egress: EgressPort,
    ads: Advertisements,
    settings: { isOn: boolean; seconds: number; fallback: string | undefined },
  ) {
    this.#binding = binding;
    this.#slots = slots;
    this.#ads = ads;
    this.#egress = egress;
    this.isOn = settings.isOn;
    this.#seconds = settings.seconds;
    this.#fallback = settings.fallback;
  }

  fallbackFor(url: string, width: number): string | undefined {
    return this.#fallback
      ?.replaceAll('{url}', encodeURIComponent(url))
      .replaceAll('{width}', String(width));
  }

  async capture(
    url: URL,
    options: CaptureOptions,
    caller: Caller,
    signal: AbortSignal,
    isDrawn: () => Promise<boolean>,
  ): Promise<Capture | null> {
    const slot = await this.#slots.take(caller, signal, isDrawn);
    if (!slot) return null;
    const capture = this.#captureIn(slot, url, options, signal);
    // Keeps the capture running if the caller disconnects, so that the browser is closed.
    waitUntil(capture.catch(() => {}));
    return capture;
  }

  async #captureIn(
    slot: CaptureSlot,
    url: URL,
    options: CaptureOptions,
    signal: AbortSignal,
  ): Promise<Capture> {
    const ended = new AbortController();
    const budget = AbortSignal.any([
      signal,
      ended.signal,
      AbortSignal.timeout(this.#seconds * 1000),
    ]);
    let open: OpenBrowser | undefined;
    const work = (async () => {
      open = await this.#open(slot);
      // The capture may have been cancelled while its browser was starting.
      if (budget.aborted) await kill(this.#binding, open);
      return Promise.race([this.#drawPage(open, url, options, budget), failureOf(open)]);
    })();
    let isWell = false;
    try {
      const capture = await Promise.race([work, aborted(budget)]);
      isWell = true;
      return capture;
    } catch (error) {
      signal.throwIfAborted();
      // After an error that the caller caused, such as a bad selector, the browser can still be reused.
      isWell = error instanceof ToolError && error.status < 500;
      if (error instanceof ToolError) throw error;
      throw budget.aborted
        ? upstreamFailed(
            `The page could not be rendered within ${this.#seconds} seconds. Try again.`,
          )
        : upstreamFailed('The page could not be rendered. Try again.', error);
    } finally {
      ended.abort();
      work.catch(() => {});
      if (open && !isWell) await kill(this.#binding, open);
      await slot.leave(open && isWell ? await disconnect(open) : undefined);
    }
  }

  async #open({ browser }: CaptureSlot): Promise<OpenBrowser> {
    const idle = browser === 'launch' ? undefined : await connect(this.#binding, browser);
    return idle ?? launch(this.#binding);
  }

  async #drawPage(
    { page, session: { agent } }: OpenBrowser,
    url: URL,
    options: CaptureOptions,
    signal: AbortSignal,
  ): Promise<Capture> {
    // Uses the private method `_client`, because only the session that sets the viewport returns images at the right
    // scale.
    const session = (page as unknown as { _client(): CDPSession })._client();
    const cdp = session.connection() as unknown as Cdp;
    const ads = options.blockAds ? this.#ads : undefined;
    const guard = new BrowserGuard(cdp, this.#egress, signal, ads);
    const browserContextId = page.browserContext().id;
    const [documents] = await Promise.all([
      ShownDocuments.of(session),
      preparePage(page, options, agent),
      guard.start(),
      cdp.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
    ]);
    const hideAds =
      ads &&
      ((document: ShownDocument) => hideAdvertisements(document, ads, guard.refused, signal));
    return capturePage({ page, session, documents, guard }, url, options, hideAds);
  }
}

/**
 * Rejects if the page exceeds a traffic limit, or if its renderer or browser crashes and therefore no longer responds.
 */
const failureOf = ({ browser, page, traffic }: OpenBrowser): Promise<never> =>
  new Promise((_, reject) => {
    const fail = (cause?: unknown) =>
      reject(upstreamFailed('The page crashed the browser or exceeded the memory limit.', cause));
    traffic.onExcess = () =>
      reject(upstreamFailed('The page exceeds the traffic limit for captures.').naming('url'));
    page.once('error', fail);
    browser.once('disconnected', fail);
  });

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
