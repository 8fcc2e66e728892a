/**
 * Takes screenshots of a running service's pages at two widths in both themes: node scripts/photograph.ts BASE_URL
 * [PATH …]
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { PATHS } from '../test/site/paths.ts';
import { openBrowser } from '../test/support/chromium.ts';

const HEIGHT = 800;
/** The top of a long page is enough. */
const MOST_HEIGHT = 2400;
/** Time for layout after the first paint. */
const SETTLE_MS = 300;

const [base, ...given] = process.argv.slice(2);
if (!base) {
  console.error('Name the address of a running service: node scripts/photograph.ts BASE_URL');
  process.exit(1);
}
const paths = given.length > 0 ? given : PATHS;
const folder = mkdtempSync(join(tmpdir(), 'tools-pages-'));
const browser = await openBrowser();
await Promise.all(
  (['light', 'dark'] as const).flatMap((theme) =>
    [360, 1280].map((width) => photograph(browser, new URL(base), theme, width)),
  ),
);
await browser.close();
console.log(folder);

async function photograph(of: Browser, origin: URL, theme: 'light' | 'dark', width: number) {
  const context = await of.newContext({ colorScheme: theme, viewport: { width, height: HEIGHT } });
  const page = await context.newPage();
  for (const path of paths) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.goto(new URL(path, origin).href, { waitUntil: 'load' });
    await page.waitForTimeout(SETTLE_MS);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (wide > width) console.warn(`${path} is ${wide} px wide at ${width}`);
    // Content far from the viewport is not laid out, so the viewport is as tall as the image.
    const tall = await page.evaluate<number>('document.documentElement.scrollHeight');
    await page.setViewportSize({ width, height: Math.min(MOST_HEIGHT, Math.max(HEIGHT, tall)) });
    await page.waitForTimeout(SETTLE_MS);
    const name = path.replaceAll(/[^\w-]+/g, '_').slice(1) || 'home';
    await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
  }
  await context.close();
}
