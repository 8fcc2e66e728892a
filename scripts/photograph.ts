/** Photographs pages of a running service at two widths in both themes: node scripts/photograph.ts BASE_URL [PATH …] */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '../test/support/chromium.ts';

const [base, ...given] = process.argv.slice(2);
if (!base) {
  console.error('Name the address of a running service: node scripts/photograph.ts BASE_URL');
  process.exit(1);
}
const HEIGHT = 800;
/** The top of a long page tells enough. */
const MOST_HEIGHT = 2400;
const SETTLE_MS = 300;
const PATHS = [
  ...['/', '/tools/merge_pdf', '/tools/compress_image', '/tools/compare_text', '/tools/test_regex'],
  ...['/tools/generate_password', '/docs', '/docs/api', '/docs/mcp', '/developers', '/status'],
  ...['/tools/convert_timestamp', '/blog', '/how-to', '/nothing-here'],
];
const folder = mkdtempSync(join(tmpdir(), 'tools-pages-'));
const browser = await openBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: HEIGHT } });
    const page = await context.newPage();
    for (const path of given.length > 0 ? given : PATHS) {
      await page.goto(new URL(path, base).href, { waitUntil: 'networkidle' });
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (wide > width) console.warn(`${path} is ${wide} px wide at ${width}`);
      const name = path.replaceAll('/', '_').slice(1) || 'home';
      const file = join(folder, `${name}-${width}-${colorScheme}.png`);
      // What is not near the view is not laid out: the view is as tall as the picture.
      const tall = await page.evaluate<number>('document.documentElement.scrollHeight');
      await page.setViewportSize({ width, height: Math.min(MOST_HEIGHT, Math.max(HEIGHT, tall)) });
      await page.waitForTimeout(SETTLE_MS);
      await page.screenshot({ path: file });
      await page.setViewportSize({ width, height: HEIGHT });
    }
    await context.close();
  }
}
await browser.close();
console.log(folder);
