/**
 * The browser port on Cloudflare's Browser Run: a fresh context for every capture, behind the guard, within a time
 * limit.
 */
import { waitUntil } from 'cloudflare:workers';
import type { BrowserWorker, CDPSession } from '@cloudflare/puppeteer';
import type { Caller } from '../core/caller.ts';
import { ToolError, unavailable, upstreamFailed } from '../core/errors.ts';
import type { BrowserPort, Capture, CaptureOptions, EgressPort } from '../core/ports.ts';
import type { Advertisements } from './advertisements.ts';
import { BrowserGuard, type Cdp } from './browser-guard.ts';
import { ownerOf } from './caller-owner.ts';
import { capturePage, preparePage } from './capture-page.ts';
import { FairQueue, type QueueEntry } from './fair-queue.ts';
import { hideAdvertisements } from './hide-advertisements.ts';
import { type ShownDocument, ShownDocuments } from './shown-document.ts';
import { close, type TakenBrowser, WarmBrowsers } from './warm-browsers.ts';

/** Captures in an isolate: at once, at once for one caller, and in total with those that wait. */
const CAPACITY = { units: 4, perCaller: 2, entries: 20 };
const MAX_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 20;
const RETRY_SECONDS = 10;

/** What a capture holds until it ends or its caller disconnects. */
interface Held {
  isHeld: boolean;
  hasBrowser: boolean;
}

export class BrowserRun implements BrowserPort {
  readonly isOn: boolean;
  readonly #browsers: WarmBrowsers;
  readonly #ads: Advertisements;
  readonly #egress: EgressPort;
  readonly #seconds: number;
  readonly #fallback: string | undefined;
  readonly #queue = new FairQueue(CAPACITY);
  #inside = 0;
  #drawing = 0;

  /** @param settings seconds: the time limit of a capture; fallback: an address with `{url}` and `{width}` in it */
  constructor(
    binding: BrowserWorker,
    egress: EgressPort,
    ads: Advertisements,
    settings: { isOn: boolean; seconds: number; fallback: string | undefined },
  ) {
    this.#browsers = new WarmBrowsers(binding);
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

  /** How many captures run and wait, and how many browsers are idle. */
  load() {
    return { ...this.#queue.load(), idle: this.#browsers.idle };
  }

  async capture(
    url: URL,
    options: CaptureOptions,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Capture> {
    const entry = this.#queue.enter(ownerOf(caller).id, Date.now());
    if (!entry) throw busy();
    const held: Held = { isHeld: true, hasBrowser: false };
    this.#inside += 1;
    // Immediately when the caller disconnects: code after the next I/O may never run.
    const leave = () => {
      if (!held.isHeld) return;
      held.isHeld = false;
      this.#queue.leave(entry);
      this.#inside -= 1;
      if (held.hasBrowser) this.#drawing -= 1;
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      await this.#slot(entry, signal);
      const capture = this.#captureNow(held, url, options, signal);
      // Ensures that the browser is closed even then.
      waitUntil(capture.catch(() => {}));
      return await capture;
    } finally {
      leave();
      signal.removeEventListener('abort', leave);
    }
  }

  /** Waits for a slot. It polls, because a promise of another request may never settle. */
  async #slot(entry: QueueEntry, signal: AbortSignal): Promise<void> {
    const end = Date.now() + MAX_WAIT_MS;
    while (!this.#queue.start(entry, Date.now())) {
      if (entry.state === 'displaced' || Date.now() > end) throw busy();
      await scheduler.wait(LOOK_AGAIN_MS, { signal });
    }
    signal.throwIfAborted();
  }

  async #captureNow(
    held: Held,
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
    let taken: TakenBrowser | undefined;
    const work = (async () => {
      taken = await this.#browsers.take();
      if (held.isHeld) {
        held.hasBrowser = true;
        this.#drawing += 1;
      }
      // The capture may have been cancelled before its browser came.
      if (budget.aborted) await close(taken.browser);
      return Promise.race([this.#drawIn(taken, url, options, budget), death(taken)]);
    })();
    let isWell = false;
    try {
      const capture = await Promise.race([work, aborted(budget)]);
      isWell = true;
      return capture;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolError) throw error;
      throw budget.aborted
        ? upstreamFailed(`The page could not be rendered within ${this.#seconds} seconds.`)
        : upstreamFailed('The page could not be rendered.', error);
    } finally {
      ended.abort();
      work.catch(() => {});
      if (taken && isWell) await this.#browsers.release(taken, this.#inside - this.#drawing);
      else if (taken) await close(taken.browser);
    }
  }

  async #drawIn(
    { page, agent }: TakenBrowser,
    url: URL,
    options: CaptureOptions,
    signal: AbortSignal,
  ): Promise<Capture> {
    // Only the session that owns the viewport returns images at the right scale.
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

  /** Closes idle browsers that have not been used since `before`. */
  closeIdle(before: number): Promise<void> {
    return this.#browsers.closeIdle(before);
  }
}

/** Rejects when the page's renderer or the browser crashes, because it then answers nothing. */
const death = ({ browser, page }: TakenBrowser): Promise<never> =>
  new Promise((_, reject) => {
    const fail = (cause?: unknown) =>
      reject(upstreamFailed('The page crashed the browser or exceeded the memory limit.', cause));
    page.once('error', fail);
    browser.once('disconnected', fail);
  });

const busy = () =>
  unavailable(`All browsers are busy. Try again in ${RETRY_SECONDS} seconds.`, RETRY_SECONDS);

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
