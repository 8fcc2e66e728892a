/** Hides the elements of an open page that match the filter lists. */
import type { Advertisements, PageElements } from './advertisements.ts';
import { ELEMENT_NAMES, styleScript } from './page-scripts.ts';
import type { ShownDocument } from './shown-document.ts';

export async function hideAdvertisements(
  document: ShownDocument,
  ads: Advertisements,
  refused: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { ids, classes } = (await document.evaluate(ELEMENT_NAMES)) as PageElements;
  const css = await ads.styleFor({ page: document.url, ids, classes }, signal);
  await document.evaluate(styleScript(css, [...refused]));
}
