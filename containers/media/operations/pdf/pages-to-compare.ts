/** Chooses which pages of a compressed document are compared with the original. */
import type { Compressed } from '../../pdf/compress/compress-steps.ts';
import type { Inventory } from '../../pdf/inventory.ts';

/** The maximum number of pages in the sample. These pages are compared whether they change or not. */
const SAMPLE_PAGES = 10;
/** The limit for each of these kinds: pages with changed fonts, with renamed resources, and with shorter numbers. */
const MAX_CHANGED_PAGES = 40;

/**
 * Returns the pages to compare, from 1: all `lossy` ones, a limited number of those with glyphs of changed fonts or
 * with changed content, and a sample of all pages.
 */
export function pagesToCompare(
  inventory: Inventory,
  lossy: ReadonlySet<number>,
  made: Compressed,
): number[] {
  const pages = new Set(lossy);
  for (const changed of [made.fontPages, made.namePages, made.numberPages]) {
    for (const index of changed.slice(0, MAX_CHANGED_PAGES)) pages.add(index + 1);
  }
  const step = Math.max(1, inventory.pages / SAMPLE_PAGES);
  for (let at = 0; at < inventory.pages; at += step) pages.add(Math.floor(at) + 1);
  return [...pages];
}
