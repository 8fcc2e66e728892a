/** Starts Debian's Chromium for the tests of pages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Download, type Locator, type Page } from 'playwright-core';
import { CHROMIUM_PATH } from '../../scripts/chromium-path.ts';
import { PATIENCE_MS, REPEATS } from './patience.ts';

/**
 * Replaces Playwright's own list of features. The last three would add two pages to every window,
 * for an address bar that nobody sees.
 */
const WITHOUT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['PreconnectToSearch', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  ...['WebUIReloadButton', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
];

let opened: Promise<Browser> | undefined;

/**
 * Returns a browser whose pages wait for `PATIENCE_MS`, and repeat a call that the busy service
 * refuses. Test files of one worker share the browser in sequence, so `close` closes only its
 * pages.
 */
export function openBrowser(): Promise<Browser> {
  opened ??= launch();
  return opened;
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    timeout: PATIENCE_MS,
    executablePath: CHROMIUM_PATH,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--process-per-site',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${WITHOUT.join()}`,
    ],
  });
  const newContext = browser.newContext.bind(browser);
  // `newPage` of a browser calls this function, too.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    context.setDefaultNavigationTimeout(PATIENCE_MS);
    await context.addInitScript(repeatRefusals, REPEATS);
    return context;
  };
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  browser.once('disconnected', () => {
    opened = undefined;
  });
  return browser;
}

/** This code runs in every page before its scripts. */
function repeatRefusals({ most, seconds }: typeof REPEATS): void {
  const fetchOnce = globalThis.fetch;
  globalThis.fetch = async (...call) => {
    for (let repeats = 0; ; repeats += 1) {
      const response = await fetchOnce(...call);
      const retryAfter = response.headers.get('Retry-After');
      if (response.status !== 503 || retryAfter === null || repeats === most) return response;
      const pause = Math.min(Number(retryAfter), seconds) * 1000;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
}

/** Whether a page reported a call that was repeated. */
export const isRepeated = (message: string): boolean => message.includes('a status of 503');

/**
 * Submits a form without scripts, and repeats that while the service is busy. Returns the download,
 * if there is one.
 */
export async function submitForm(page: Page, button: Locator): Promise<Download | null> {
  const download = page.waitForEvent('download').catch(() => null);
  const answered = () => page.waitForResponse((response) => response.request().method() === 'POST');
  const shown = page.waitForEvent('framenavigated').catch(() => null);
  let [answer] = await Promise.all([answered(), button.click()]);
  while (answer.status() === 503) {
    // Until the response is shown, a reload would open the page with the form; while the response
    // loads, a reload may be lost.
    await shown;
    await page.waitForLoadState();
    await sleep(Math.min(Number(answer.headers()['retry-after']), REPEATS.seconds) * 1000);
    // Reloading submits the form again. A download aborts the reload.
    [answer] = await Promise.all([answered(), page.reload().catch(() => null)]);
  }
  if (answer.headers()['content-disposition']?.startsWith('attachment')) return download;
  await page.waitForLoadState();
  return null;
}
