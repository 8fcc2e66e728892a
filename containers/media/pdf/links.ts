/** Finds the targets of annotations, and restores targets that are lost in a merge (ISO 32000-1, section 12.5). */
import { type Destination, type Destinations, destinationOf } from './destinations.ts';
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { isDictionary, type PdfDictionary, PdfReference, type PdfValue } from './objects.ts';
import type { Pages } from './pages.ts';

const MAX_ANNOTATIONS = 500_000;

/** The annotations of one page whose target a merge loses. `index` counts the annotation dictionaries of the page. */
export interface PageLinks {
  pageIndex: number;
  /**
   * The number of annotation dictionaries on the page. Links are restored only if the page in the merged file has the
   * same number of them.
   */
  annotations: number;
  links: { index: number; destination: Destination }[];
}

interface Annotation {
  /** The index in Annots. */
  position: number;
  dictionary: PdfDictionary;
}

function annotationsOf(document: PdfDocument, page: PdfDictionary): Annotation[] {
  const annotations: Annotation[] = [];
  for (const [position, item] of (document.array(page.get('Annots')) ?? []).entries()) {
    const dictionary = document.resolve(item);
    if (isDictionary(dictionary)) annotations.push({ position, dictionary });
  }
  return annotations;
}

/**
 * Finds links that qpdf 11 does not preserve in a merge. qpdf copies page by page, so a reference to a page that has
 * not been copied yet becomes null. qpdf also looks up destination names in the first file. Explicit destinations to
 * the same page or earlier ones are preserved if the annotation contains them directly, and therefore not returned.
 */
export function linksLostInMerge(
  document: PdfDocument,
  pages: Pages,
  destinations: Destinations,
): PageLinks[] {
  const lost: PageLinks[] = [];
  let seen = 0;
  for (const [pageIndex, page] of pages.list.entries()) {
    if (!page.dictionary.has('Annots')) continue;
    const annotations = annotationsOf(document, page.dictionary);
    seen += annotations.length;
    if (seen > MAX_ANNOTATIONS) break;
    const links: PageLinks['links'] = [];
    for (const [index, { dictionary }] of annotations.entries()) {
      const target = destinationOf(document, dictionary);
      const destination = target && destinations.resolve(target.value);
      if (!target || !destination) continue;
      const survives =
        destination.pageIndex <= pageIndex &&
        Array.isArray(target.value) &&
        target.value[0] instanceof PdfReference;
      if (!survives) links.push({ index, destination });
    }
    if (links.length > 0) lost.push({ pageIndex, annotations: annotations.length, links });
  }
  return lost;
}

/**
 * Restores the `lost` links in the merged file with explicit destinations. `pageReferences` are the pages of the merged
 * file, and the pages of this input begin at `firstPage`. Returns the number of links that could not be found in the
 * merged file.
 */
export function mendLinks(
  merged: PdfDocument,
  update: IncrementalUpdate,
  pageReferences: readonly PdfReference[],
  firstPage: number,
  lost: readonly PageLinks[],
): number {
  let unmended = 0;
  for (const { pageIndex, annotations: expected, links } of lost) {
    const pageReference = pageReferences[firstPage + pageIndex];
    const page = merged.dictionary(pageReference);
    const annotations = page ? annotationsOf(merged, page) : [];
    if (!page || !pageReference || annotations.length !== expected) {
      unmended += links.length;
      continue;
    }
    const items = [...(merged.array(page.get('Annots')) ?? [])];
    let direct = false;
    for (const { index, destination } of links) {
      const annotation = annotations[index];
      const target = pageReferences[firstPage + destination.pageIndex];
      if (!annotation || !target) {
        unmended += 1;
        continue;
      }
      const mended = withDestination(merged, annotation.dictionary, [target, ...destination.view]);
      const item = items[annotation.position];
      if (item instanceof PdfReference) update.set(item, mended);
      else {
        items[annotation.position] = mended;
        direct = true;
      }
    }
    if (direct) update.set(pageReference, new Map(page).set('Annots', items));
  }
  return unmended;
}

function withDestination(
  document: PdfDocument,
  annotation: PdfDictionary,
  destination: PdfValue[],
): PdfDictionary {
  const mended = new Map(annotation);
  const action = document.dictionary(annotation.get('A'));
  const used = destinationOf(document, annotation);
  if (used?.inAction && action) mended.set('A', new Map(action).set('D', destination));
  else mended.set('Dest', destination);
  return mended;
}
