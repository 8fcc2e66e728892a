/** Starts Debian's Chromium for page tests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Download, type Locator, type Page } from 'playwright-core';
import { CHROMIUM_PATH } from '../../scripts/chromium-path.ts';
import { PATIENCE_MS, REPEATS } from './patience.ts';

/**
 * Replaces Playwright's list of disabled features. If the last three were enabled, every window would load two more
 * pages for an invisible address bar.
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
 * Returns a browser. Its pages wait for up to `PATIENCE_MS`, and repeat calls that a busy service refuses. Successive
 * test files in a worker share the browser, so `close` closes only its pages.
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
  // The browser's `newPage` method also calls this function.
  browser.newContext = async (options) => {
    // A smooth scroll could move a button between the press and the release of the mouse button, and the click would be
    // lost.
    const context = await newContext({ reducedMotion: 'reduce', ...options });
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

/** Makes `fetch` repeat refused calls. The code runs in each page before the page's own scripts. */
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

/** Whether a console message reports a call that was later repeated. */
export const isRepeated = (message: string): boolean => message.includes('a status of 503');

/**
 * Submits a form without JavaScript, and retries while the service is busy. Returns the download, or null if there is
 * none.
 */
export async function submitForm(page: Page, button: Locator): Promise<Download | null> {
  const download = page.waitForEvent('download').catch(() => null);
  const answered = () => page.waitForResponse((response) => response.request().method() === 'POST');
  const shown = page.waitForEvent('framenavigated').catch(() => null);
  let [answer] = await Promise.all([answered(), button.click()]);
  while (answer.status() === 503) {
    // The reload must wait until the response has loaded. An earlier reload would open the page with the form, or might
    // be lost.
    await shown;
    await page.waitForLoadState();
    await sleep(Math.min(Number(answer.headers()['retry-after']), REPEATS.seconds) * 1000);
    // Reloading the page submits the form again. If the response is a download, the browser aborts the reload.
    [answer] = await Promise.all([answered(), page.reload().catch(() => null)]);
  }
  if (answer.headers()['content-disposition']?.startsWith('attachment')) return download;
  await page.waitForLoadState();
  return null;
}
