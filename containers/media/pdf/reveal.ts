/** Makes all conditional content visible, including layers and annotations that are hidden or print-only. */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import type { PdfDictionary, PdfValue } from './objects.ts';
import { readPages } from './pages.ts';

/** The annotation flags that hide an annotation on screen: invisible, hidden and no view (section 12.5.3). */
const NOT_ON_SCREEN = 1 | 2 | 32;
const PRINT = 4;

/**
 * Writes the changes to `update`. Writes nothing if there are no layers and no hidden annotations. Throws PdfDamage.
 */
export function reveal(document: PdfDocument, update: IncrementalUpdate): void {
  const { reference, dictionary } = document.catalog;
  if (dictionary.has('OCProperties')) {
    const catalog = new Map(dictionary);
    catalog.delete('OCProperties');
    update.set(reference, catalog);
  }
  for (const page of readPages(document).list) {
    const annotations = document.array(page.dictionary.get('Annots')) ?? [];
    const shown = annotations.map((entry) => revealed(document, entry) ?? entry);
    if (shown.every((entry, index) => entry === annotations[index])) continue;
    update.set(page.reference, new Map(page.dictionary).set('Annots', shown));
  }
}

/** Returns a visible version of the annotation, or undefined if the annotation is already visible. */
function revealed(document: PdfDocument, entry: PdfValue): PdfDictionary | undefined {
  const annotation = document.dictionary(entry);
  if (!annotation) return undefined;
  const isHidden = ((document.number(annotation.get('F')) ?? 0) & NOT_ON_SCREEN) !== 0;
  return isHidden ? new Map(annotation).set('F', PRINT) : undefined;
}
