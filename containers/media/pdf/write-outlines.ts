/** Writes outline items as objects of an incremental update (ISO 32000-1, section 12.3.3). */
import type { IncrementalUpdate } from './incremental-update.ts';
import { dictionary, type PdfDictionary, type PdfReference } from './objects.ts';
import type { OutlineItem } from './outlines.ts';

export interface WrittenLevel {
  references: PdfReference[];
  /**
   * The dictionaries of the items in `references`. They are already part of the update, but Prev and Next may still be
   * added.
   */
  items: PdfDictionary[];
  /** The number of visible items, including the descendants of open items. The Count entry contains this number. */
  visible: number;
}

/** Writes items of one level with their descendants. `pageAt` returns the page of the new file for a page index. */
export function writeOutlineItems(
  update: IncrementalUpdate,
  items: readonly OutlineItem[],
  parent: PdfReference,
  pageAt: (pageIndex: number) => PdfReference | undefined,
): WrittenLevel {
  const references = items.map(() => update.allocate());
  let visible = items.length;
  const written = items.map((item, index) => {
    const reference = references[index] as PdfReference;
    const below = writeOutlineItems(update, item.children, reference, pageAt);
    if (item.open) visible += below.visible;
    const page = item.destination && pageAt(item.destination.pageIndex);
    const value = dictionary({
      Title: item.title,
      Parent: parent,
      Prev: references[index - 1],
      Next: references[index + 1],
      First: below.references[0],
      Last: below.references.at(-1),
      Count: below.visible > 0 ? (item.open ? below.visible : -below.visible) : undefined,
      Dest: page && item.destination ? [page, ...item.destination.view] : undefined,
      A: item.action,
      C: item.color,
      F: item.flags === 0 ? undefined : item.flags,
    });
    update.set(reference, value);
    return value;
  });
  return { references, items: written, visible };
}
