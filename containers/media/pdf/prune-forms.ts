/** Prunes the interactive form to fields with a widget on the retained pages (ISO 32000-1, section 12.7). */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { isDictionary, type PdfDictionary, PdfReference, type PdfValue } from './objects.ts';
import type { Page } from './pages.ts';

const MAX_DEPTH = 64;
const MAX_FIELDS = 250_000;
const MAX_ANNOTATIONS = 500_000;

/**
 * Returns the form dictionary for a file that contains only these pages, or undefined if no field is retained. Adds the
 * numbers of the fields that the form lists to `seen`.
 */
export function prunedForm(
  document: PdfDocument,
  update: IncrementalUpdate,
  retainedPages: readonly Page[],
  seen: Set<number>,
): PdfDictionary | undefined {
  const form = document.dictionary(document.catalog.dictionary.get('AcroForm'));
  if (!form) return undefined;
  const widgets = new Set<number>();
  let looked = 0;
  for (const page of retainedPages) {
    const annotations = document.array(page.dictionary.get('Annots')) ?? [];
    looked += annotations.length;
    if (looked > MAX_ANNOTATIONS) break;
    for (const item of annotations) {
      if (item instanceof PdfReference) widgets.add(item.number);
    }
  }
  const keep = (items: readonly PdfValue[], depth: number): PdfValue[] =>
    items.filter((item) => {
      if (!(item instanceof PdfReference) || seen.has(item.number)) return false;
      if (depth > MAX_DEPTH || seen.size > MAX_FIELDS) return false;
      seen.add(item.number);
      const field = document.resolve(item);
      if (!isDictionary(field)) return false;
      const kids = document.array(field.get('Kids'));
      if (!kids) return widgets.has(item.number);
      const retained = keep(kids, depth + 1);
      if (retained.length === 0) return widgets.has(item.number);
      if (retained.length < kids.length) update.set(item, new Map(field).set('Kids', retained));
      return true;
    });
  const fields = keep(document.array(form.get('Fields')) ?? [], 0);
  if (fields.length === 0) return undefined;
  const pruned = new Map(form).set('Fields', fields);
  // The XFA form is removed, because it contains the values of every page.
  pruned.delete('XFA');
  const order = document.array(form.get('CO'));
  if (order) {
    const remaining = order.filter(
      (item) => item instanceof PdfReference && widgets.has(item.number),
    );
    pruned.set('CO', remaining);
  }
  return pruned;
}
