/** Loads a page and captures it when it is stable. */
import type { CDPSession, Page } from '@cloudflare/puppeteer';
import { badRequest, failed, ToolError, upstreamFailed } from '../core/errors.ts';
import { MAX_PAGE_HEIGHT } from '../core/limits.ts';
import type { Capture, CaptureOptions } from '../core/ports.ts';
import type { BrowserGuard } from './browser-guard.ts';
import { type Box, regionOf } from './capture-region.ts';
import { boxScript, DISARM, finishAnimations, hideScript, scrollScript } from './page-scripts.ts';
import { settle } from './settle.ts';
import { Replaced, type ShownDocument, type ShownDocuments } from './shown-document.ts';

/**
 * The time limit for loading a page, in milliseconds. A page that has not finished loading by then is captured in its
 * current state.
 */
const LOAD_MS = 20_000;
const WAIT_FOR_MS = 30_000;
/** The time limit for the selected element to become visible, in milliseconds. */
const SELECTOR_MS = 1000;
/** The pause at each scroll step, in milliseconds. Some pages load content only after scrolling has stopped. */
const REST_MS = 150;
/**
 * Animations and transitions that would end within this time, in milliseconds, are skipped to their final state before
 * the capture.
 */
const ANIMATION_MS = 5000;
const QUALITY = 90;
/** The size of A4 in inches. */
const PAPER = { paperWidth: 8.27, paperHeight: 11.69 } as const;
const MAX_PRINTED_PAGES = 100;
/**
 * The maximum number of documents that a page may load in succession, for example through script redirects. The last
 * one is captured.
 */
const MAX_DOCUMENTS = 5;

export interface OpenPage {
  page: Page;
  session: CDPSession;
  documents: ShownDocuments;
  guard: BrowserGuard;
}

/**
 * Captures the page. Calls `hideAds` after the page has loaded and again after its lazy content has loaded. Throws a
 * ToolError if the page, the options or a part of the service is at fault, and any other error if the browser fails.
 */
export async function capturePage(
  open: OpenPage,
  url: URL,
  options: CaptureOptions,
  hideAds: ((document: ShownDocument) => Promise<void>) | undefined,
): Promise<Capture> {
  const { page, documents, guard } = open;
  try {
    await page.goto(url.href, { waitUntil: 'domcontentloaded', timeout: 0 });
  } catch (error) {
    if (/ERR_TOO_MANY_REDIRECTS/.test(String(error)))
      throw upstreamFailed('The URL redirects too many times.', error).naming('url');
    if (/ERR_UNSAFE_REDIRECT/.test(String(error)))
      throw badRequest('The URL redirects to a target that is not an http or https URL.', 'url');
    throw failureOf(guard) ?? error;
  }
  const waitEnd = Date.now() + WAIT_FOR_MS;
  for (let count = 1; count <= MAX_DOCUMENTS; count += 1) {
    if (count === MAX_DOCUMENTS) guard.holdPage();
    const document = documents.current;
    try {
      if (document.url.startsWith('chrome-error:'))
        throw failureOf(guard) ?? new Error('the page is an error page');
      await document.during(Promise.race([document.loaded, scheduler.wait(LOAD_MS)]));
      await prepare(open, document, options, waitEnd, hideAds);
      return await draw(open, document, options);
    } catch (error) {
      // The page has navigated, so the next iteration captures the new document.
      if (!(error instanceof Replaced)) throw error;
      guard.releasePage();
    }
  }
  throw upstreamFailed('The page keeps navigating to other pages. Use the URL of the last one.');
}

/**
 * Returns the error of the page's own request, or undefined. A ToolError names the `url` parameter unless its status is
 * 503.
 */
function failureOf({ pageFailure }: BrowserGuard): unknown {
  const isOfPage = pageFailure instanceof ToolError && pageFailure.status !== 503;
  return isOfPage ? pageFailure.naming('url') : pageFailure;
}

/** Sets the page's size and user agent, and restricts its scripts. Must be called before the page loads. */
export async function preparePage(
  page: Page,
  { width, height, scale, darkMode }: CaptureOptions,
  agent: string,
): Promise<void> {
  page.setDefaultTimeout(0);
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
  page.on('popup', (popup) => void popup?.close().catch(() => {}));
  await Promise.all([
    page.setUserAgent(agent.replace('Headless', '')),
    page.setViewport({ width, height, deviceScaleFactor: scale }),
    page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: darkMode ? 'dark' : 'light' },
    ]),
    page.setBypassCSP(true),
    page.setBypassServiceWorker(true),
    page.evaluateOnNewDocument(DISARM),
  ]);
}

/** Prepares the document for the capture. */
async function prepare(
  { documents, guard }: OpenPage,
  document: ShownDocument,
  options: CaptureOptions,
  waitEnd: number,
  hideAds: ((document: ShownDocument) => Promise<void>) | undefined,
): Promise<void> {
  const { waitFor, selector } = options;
  if (waitFor !== undefined && !(await waitUntilVisible(document, waitFor, 'waitFor', waitEnd))) {
    throw failed(
      `No visible element matched \`waitFor\` within ${WAIT_FOR_MS / 1000} seconds. Check the selector.`,
    ).naming('waitFor');
  }
  await hide(document, options.hideSelectors);
  if (hideAds) await document.during(hideAds(document));
  if (options.fullPage) {
    const step = Math.max(options.height, 400);
    await document.evaluate(scrollScript(step, MAX_PAGE_HEIGHT, REST_MS));
  }
  await settle(documents, guard, document, options.fullPage ? MAX_PAGE_HEIGHT : null);
  if (options.delayMs > 0) await document.during(scheduler.wait(options.delayMs));
  if (hideAds) await document.during(hideAds(document));
  // If the element is missing, the page may be about to navigate to another page that has it.
  if (selector !== undefined) {
    await waitUntilVisible(document, selector, 'selector', Date.now() + SELECTOR_MS);
  }
}

/**
 * Takes the screenshot or prints the PDF. Blocks other documents first, because the browser would never respond if a
 * document replaced the page.
 */
async function draw(
  { session, guard }: OpenPage,
  document: ShownDocument,
  options: CaptureOptions,
): Promise<Capture> {
  guard.holdPage();
  await hide(document, options.hideSelectors);
  await document.evaluate(finishAnimations(ANIMATION_MS));
  if (options.output === 'pdf') return print(session, document);
  const { params, cut } = await regionOf(options, document, (selector) =>
    boxOf(document, selector, 'selector'),
  );
  const inFront = session.send('Page.bringToFront');
  const [{ data }] = await document.during(
    Promise.all([
      session.send('Page.captureScreenshot', {
        format: options.format,
        ...(options.format !== 'png' && { quality: QUALITY }),
        ...params,
      }),
      inFront,
    ]),
  );
  return { content: Uint8Array.fromBase64(data), ...(cut && { cut }) };
}

/** Prints the document as a PDF, using its print style sheets and page size. */
async function print(session: CDPSession, document: ShownDocument): Promise<Capture> {
  const pagesOf = (pageRanges: string) =>
    session.send('Page.printToPDF', {
      ...PAPER,
      preferCSSPageSize: true,
      printBackground: true,
      pageRanges,
    });
  const { data } = await document.during(pagesOf(`1-${MAX_PRINTED_PAGES}`));
  const content = Uint8Array.fromBase64(data);
  if (pageCount(content) < MAX_PRINTED_PAGES) return { content };
  // The browser reports no page count, but refuses to print a page that the document does not have.
  const hasMore = await document.during(
    pagesOf(String(MAX_PRINTED_PAGES + 1)).then(
      () => true,
      () => false,
    ),
  );
  return { content, ...(hasMore && { cutPages: MAX_PRINTED_PAGES }) };
}

/** Counts the pages of a PDF that Chromium has written. Its page objects are not compressed. */
const pageCount = (content: Uint8Array): number =>
  new TextDecoder('latin1').decode(content).match(/\/Type \/Page\b/g)?.length ?? 0;

/** Waits until an element is visible or `end` is reached. Returns whether the element is visible. */
async function waitUntilVisible(
  document: ShownDocument,
  selector: string,
  param: string,
  end: number,
): Promise<boolean> {
  while ((await boxOf(document, selector, param)) === null) {
    if (Date.now() > end) return false;
    await document.during(scheduler.wait(100));
  }
  return true;
}

async function boxOf(
  document: ShownDocument,
  selector: string,
  param: string,
): Promise<Box | null> {
  const box = (await document.evaluate(boxScript(selector))) as Box | null | 'invalid';
  if (box === 'invalid') throw badSelector(param);
  return box;
}

async function hide(document: ShownDocument, selectors: readonly string[]): Promise<void> {
  if (selectors.length === 0) return;
  if ((await document.evaluate(hideScript(selectors))) !== null) throw badSelector('hideSelectors');
}

const badSelector = (param: string): ToolError =>
  badRequest(`A CSS selector in \`${param}\` is invalid.`, param);
