/** A browser for the Worker's browser binding, at home. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The build that Miniflare's browser binding looks for. */
const CHROME = 'linux-126.0.6478.182';

/** WebRTC would speak UDP past every proxy. */
const FLAGS =
  '--webrtc-ip-handling-policy=disable_non_proxied_udp --force-webrtc-ip-handling-policy=disable_non_proxied_udp';

/** Gives the browser binding Debian's Chromium, where it would otherwise download a Chrome of its own. */
export function offerBrowser(): void {
  const chromium = '/usr/bin/chromium';
  if (process.platform !== 'linux' || !existsSync(chromium)) return;
  process.env.XDG_CACHE_HOME = resolve('.wrangler', 'cache');
  const folder = join(process.env.XDG_CACHE_HOME, '.wrangler', 'chrome', CHROME, 'chrome-linux64');
  mkdirSync(folder, { recursive: true });
  // Two services may start at the same moment: the file is there whole, or not yet.
  const draft = join(folder, `chrome-${process.pid}`);
  rmSync(draft, { force: true });
  writeFileSync(draft, `#!/bin/sh\nexec ${chromium} ${FLAGS} "$@"\n`, { mode: 0o755 });
  renameSync(draft, join(folder, 'chrome'));
  // Chromium refuses its sandbox as root; Miniflare leaves it out where CI is set.
  if (process.getuid?.() === 0) process.env.CI ??= 'true';
}
