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
const MAX_HEIGHT = 2400;

const [base, ...given] = process.argv.slice(2);
if (!base) {
  console.error('Pass the address of a running service: node scripts/photograph.ts BASE_URL');
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
    await page.goto(new URL(path, origin).href, { waitUntil: 'networkidle' });
    const [wide, tall] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
    );
    if (wide > width) console.warn(`${path} is ${wide} px wide at ${width}`);
    const clip = { x: 0, y: 0, width, height: Math.min(MAX_HEIGHT, Math.max(HEIGHT, tall)) };
    const name = path.replaceAll(/[^\w-]+/g, '_').slice(1) || 'home';
    const file = join(folder, `${name}-${width}-${theme}.png`);
    await page.screenshot({ path: file, fullPage: true, clip });
  }
  await context.close();
}
