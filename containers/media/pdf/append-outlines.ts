/** Appends the outlines of later inputs to the outline of the merged file, which comes from the first input. */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { dictionary, isDictionary, name, PdfReference, type PdfValue } from './objects.ts';
import type { OutlineItem } from './outlines.ts';
import { writeOutlineItems } from './write-outlines.ts';

const MAX_TOP_LEVEL_ITEMS = 250_000;

interface Tail {
  first: PdfReference | undefined;
  last: PdfReference | undefined;
  count: number;
}

/** Returns the first and last of the top-level items and their number. Stops at a loop, and at the maximum number. */
function chainOf(document: PdfDocument, start: PdfValue | undefined): Tail {
  const seen = new Set<number>();
  let next = start;
  let last: PdfReference | undefined;
  while (next instanceof PdfReference && !seen.has(next.number)) {
    const item = document.resolve(next);
    if (!isDictionary(item) || seen.size >= MAX_TOP_LEVEL_ITEMS) break;
    seen.add(next.number);
    last = next;
    next = item.get('Next');
  }
  const first = last && start instanceof PdfReference ? start : undefined;
  return { first, last, count: seen.size };
}

/**
 * Appends the items at the top level, in order. `pageAt` returns the page of the merged file for an item's page index.
 * The items of the first input remain unchanged, except for the Next entry of the last one.
 */
export function appendOutlines(
  merged: PdfDocument,
  update: IncrementalUpdate,
  items: readonly OutlineItem[],
  pageAt: (pageIndex: number) => PdfReference | undefined,
): void {
  if (items.length === 0) return;
  const { reference: catalogReference, dictionary: catalog } = update.catalog;
  const given = catalog.get('Outlines');
  const old = merged.resolve(given);
  const root = isDictionary(old) ? new Map(old) : dictionary({ Type: name('Outlines') });
  const rootReference = given instanceof PdfReference ? given : update.allocate();
  const before = chainOf(merged, root.get('First'));
  const level = writeOutlineItems(update, items, rootReference, pageAt);
  const lastBefore = before.last && merged.resolve(before.last);
  if (before.last && isDictionary(lastBefore)) {
    update.set(before.last, new Map(lastBefore).set('Next', level.references[0] ?? null));
    level.items[0]?.set('Prev', before.last);
  }
  const count = merged.number(root.get('Count')) ?? 0;
  const visibleBefore = count > 0 ? count : before.count;
  root.set('First', before.first ?? level.references[0] ?? null);
  root.set('Last', level.references.at(-1) ?? null);
  root.set('Count', visibleBefore + level.visible);
  update.set(rootReference, root);
  if (rootReference !== given) update.set(catalogReference, catalog.set('Outlines', rootReference));
}
