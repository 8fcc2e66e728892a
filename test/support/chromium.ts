/** Debian's Chromium for the tests of pages. */
import { type Browser, chromium } from 'playwright-core';

/**
 * Replaces Playwright's own list; the last three would cost two more pages in every window, for an address bar that
 * nobody sees.
 */
const WITHOUT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['PreconnectToSearch', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  ...['WebUIReloadButton', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${WITHOUT.join()}`,
    ],
  });
