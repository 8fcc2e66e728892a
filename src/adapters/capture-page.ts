/** What is done with a page, from its address to the picture: load, settle, draw. */
import type { Page } from '@cloudflare/puppeteer';
import { badRequest, failed, ToolError } from '../core/errors.ts';
import type { CaptureOptions } from '../core/ports.ts';
import type { BrowserGuard } from './browser-guard.ts';
import { boxScript, DISARM, hideScript, PAGE_HEIGHT, scrollScript } from './page-scripts.ts';

const MAX_PAGE_PIXELS = 12_000;
/** What Chromium draws in one picture, and WebP holds. */
const MAX_SIDE = 16_383;
const MAX_AREA = 100_000_000;
/** A page that goes on loading is taken as it is after this. */
const LOAD_MS = 20_000;
const SETTLE_MS = 3000;
const QUIET_MS = 60;
const SETTLE_STEP_MS = 10;
const WAIT_FOR_MS = 30_000;
const QUALITY = 90;

/** Draws the page, `hideAds` once it is there and once all of it is. Throws ToolError for what the caller can mend, anything else where the browser fails. */
export async function capturePage(
  page: Page,
  guard: BrowserGuard,
  url: URL,
  options: CaptureOptions,
  hideAds: (() => Promise<void>) | undefined,
): Promise<Uint8Array> {
  const loaded = new Promise<void>((resolve) => page.once('load', () => resolve()));
  try {
    await page.goto(url.href, { waitUntil: 'domcontentloaded', timeout: 0 });
  } catch (error) {
    throw guard.pageFailure ?? error;
  }
  await Promise.race([loaded, pause(LOAD_MS)]);
  if (options.waitFor !== undefined) await waitForElement(page, options.waitFor);
  if (options.hideSelectors.length > 0) await hide(page, options.hideSelectors);
  await hideAds?.();
  if (options.fullPage)
    await page.evaluate(scrollScript(Math.max(options.height, 400), MAX_PAGE_PIXELS));
  await settle(guard);
  if (options.delayMs > 0) await pause(options.delayMs);
  await hideAds?.();
  if (page.url().startsWith('chrome-error:'))
    throw guard.pageFailure ?? new Error('the page is an error page');
  const image = await page.screenshot({
    type: options.format,
    ...(options.format !== 'png' && { quality: QUALITY }),
    ...(await regionOf(page, options)),
  });
  return image as Uint8Array;
}

/** Before anything is loaded: how large the page is, what it takes the browser for, what its scripts may not do. */
export async function preparePage(
  page: Page,
  { width, height, scale, darkMode }: CaptureOptions,
): Promise<void> {
  page.setDefaultTimeout(0);
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
  page.on('popup', (popup) => void popup?.close().catch(() => {}));
  const agent = page.browser().userAgent();
  await Promise.all([
    agent.then((name) => page.setUserAgent(name.replace('Headless', ''))),
    page.setViewport({ width, height, deviceScaleFactor: scale }),
    page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: darkMode ? 'dark' : 'light' },
    ]),
    page.setBypassCSP(true),
    page.setBypassServiceWorker(true),
    page.evaluateOnNewDocument(DISARM),
  ]);
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

async function waitForElement(page: Page, selector: string): Promise<void> {
  const end = Date.now() + WAIT_FOR_MS;
  // A page that is on its way to another one has no document for a moment.
  while ((await boxOf(page, selector, 'waitFor').catch(rethrowMeant)) === null) {
    if (Date.now() > end) {
      throw failed(`No visible element matched waitFor within ${WAIT_FOR_MS / 1000} seconds.`);
    }
    await pause(100);
  }
}

function rethrowMeant(error: unknown): null {
  if (error instanceof ToolError || /closed/i.test(String(error))) throw error;
  return null;
}

async function boxOf(page: Page, selector: string, param: string): Promise<Box | null> {
  const box = (await page.evaluate(boxScript(selector))) as Box | null | 'invalid';
  if (box === 'invalid') throw badSelector(param);
  return box;
}

async function hide(page: Page, selectors: readonly string[]): Promise<void> {
  if ((await page.evaluate(hideScript(selectors))) !== null) throw badSelector('hideSelectors');
}

const badSelector = (param: string): ToolError =>
  badRequest(`The ${param} is no CSS selector that the browser understands.`, param);

/** Waits until no request has been open for a moment, and pictures are decoded; not for ever. */
async function settle(guard: BrowserGuard): Promise<void> {
  const end = Date.now() + SETTLE_MS;
  while (guard.quietMs < QUIET_MS && Date.now() < end) await pause(SETTLE_STEP_MS);
}

/** What of the page is drawn: the viewport, the whole of it, or one element. */
async function regionOf(page: Page, options: CaptureOptions) {
  const most = mostPixels(options);
  if (options.selector !== undefined) {
    const box = await boxOf(page, options.selector, 'selector');
    if (!box)
      throw failed('No visible element matches selector. Give waitFor too where it appears later.');
    const width = Math.min(box.width, MAX_SIDE / options.scale);
    return {
      captureBeyondViewport: true,
      clip: { ...box, width, height: Math.min(box.height, most) },
    };
  }
  if (!options.fullPage) return { captureBeyondViewport: false };
  const height = (await page.evaluate(PAGE_HEIGHT)) as number;
  return {
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: options.width, height: Math.max(1, Math.min(height, most)) },
  };
}

/** CSS pixels of height that are drawn at most. */
const mostPixels = ({ width, scale }: CaptureOptions): number =>
  Math.floor(Math.min(MAX_PAGE_PIXELS, MAX_SIDE / scale, MAX_AREA / (width * scale * scale)));

const pause = (ms: number) => scheduler.wait(ms);
