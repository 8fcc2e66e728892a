/** Hides what filter lists have of a page that is open, as far as it has come. */
import type { Page } from '@cloudflare/puppeteer';
import type { Advertisements, PageElements } from './advertisements.ts';
import { ELEMENT_NAMES, styleScript } from './page-scripts.ts';

export async function hideAdvertisements(
  page: Page,
  ads: Advertisements,
  refused: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { ids, classes } = (await page.evaluate(ELEMENT_NAMES)) as PageElements;
  const css = await ads.styleFor({ page: page.url(), ids, classes }, signal);
  await page.evaluate(styleScript(css, [...refused]));
}
