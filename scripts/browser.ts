/** A browser for the Worker's browser binding, at home. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeTiedProgram } from './tied-program.ts';

/** The build that Miniflare's browser binding looks for. */
const CHROME = 'linux-126.0.6478.182';

const FLAGS = [
  // WebRTC would speak UDP past every proxy.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  // As puppeteer itself starts it. Miniflare leaves the last three on: two more pages in every window, for an address
  // bar that nobody sees.
  `--disable-features=${[
    ...['Translate', 'AcceptCHFrame', 'MediaRouter', 'OptimizationHints'],
    ...['ProcessPerSiteUpToMainFrameThreshold', 'IsolateSandboxedIframes'],
    ...['WebUIReloadButton', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ].join()}`,
];

/** Gives the browser binding Debian's Chromium, where it would otherwise download a Chrome of its own. */
export function offerBrowser(): void {
  const chromium = '/usr/bin/chromium';
  if (process.platform !== 'linux' || !existsSync(chromium)) return;
  process.env.XDG_CACHE_HOME = resolve('.wrangler', 'cache');
  const folder = join(process.env.XDG_CACHE_HOME, '.wrangler', 'chrome', CHROME, 'chrome-linux64');
  writeTiedProgram(join(folder, 'chrome'), chromium, FLAGS);
  // Chromium refuses its sandbox as root; Miniflare leaves it out where CI is set.
  if (process.getuid?.() === 0) process.env.CI ??= 'true';
}
