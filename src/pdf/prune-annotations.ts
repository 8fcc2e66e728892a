/** Cuts what leads from the annotations of the pages kept to those of others: fields that they share, and replies. */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import {
  arrayAt,
  isDictionary,
  type PdfDictionary,
  PdfReference,
  type PdfValue,
} from './objects.ts';
import type { Page } from './pages.ts';

const MAXIMUM_ANNOTATIONS = 500_000;

/** `listed`: numbers of the fields that the form lists, which are pruned from there. */
export function pruneAnnotations(
  document: PdfDocument,
  update: IncrementalUpdate,
  keptPages: readonly Page[],
  listed: ReadonlySet<number>,
): void {
  const pages = keptPages.flatMap((page) => {
    const annotations = arrayAt(document, page.dictionary.get('Annots')) ?? [];
    return annotations.length > 0 ? [{ page, annotations }] : [];
  });
  const kept = new Set<number>();
  for (const { annotations } of pages) {
    for (const item of annotations) if (item instanceof PdfReference) kept.add(item.number);
    if (kept.size > MAXIMUM_ANNOTATIONS) break;
  }
  const fields = new Map<number, PdfReference>();
  for (const { page, annotations } of pages) {
    const cut = annotations.map((item) => {
      climb(document, item, fields);
      return withoutReply(update, item, kept) ?? item;
    });
    if (cut.every((item, index) => item === annotations[index])) continue;
    const current = update.current(page.reference);
    if (isDictionary(current)) update.set(page.reference, new Map(current).set('Annots', cut));
  }
  for (const [number, reference] of fields) {
    if (!listed.has(number)) pruneKids(document, update, reference, fields, kept);
  }
}

/** Puts the fields above an annotation, itself included where it is one, into `fields`. */
function climb(document: PdfDocument, start: PdfValue, fields: Map<number, PdfReference>): void {
  let next: PdfValue | undefined = start;
  for (;;) {
    const dictionary = document.resolve(next);
    if (!isDictionary(dictionary)) return;
    if (next instanceof PdfReference) {
      if (fields.has(next.number)) return;
      fields.set(next.number, next);
    } else if (next !== start) return;
    next = dictionary.get('Parent');
  }
}

/** Undefined where it replies to nothing, or to what is kept; gives back what is no object of its own. */
function withoutReply(
  update: IncrementalUpdate,
  item: PdfValue,
  kept: ReadonlySet<number>,
): PdfDictionary | undefined {
  const annotation = item instanceof PdfReference ? update.current(item) : item;
  if (!isDictionary(annotation)) return undefined;
  const target = annotation.get('IRT');
  if (target === undefined || (target instanceof PdfReference && kept.has(target.number))) {
    return undefined;
  }
  const alone = new Map(annotation);
  alone.delete('IRT');
  alone.delete('RT');
  if (!(item instanceof PdfReference)) return alone;
  update.set(item, alone);
  return undefined;
}

function pruneKids(
  document: PdfDocument,
  update: IncrementalUpdate,
  reference: PdfReference,
  fields: ReadonlyMap<number, PdfReference>,
  kept: ReadonlySet<number>,
): void {
  const field = update.current(reference);
  const kids = isDictionary(field) && arrayAt(document, field.get('Kids'));
  if (!kids) return;
  const isKept = (kid: PdfValue) =>
    kid instanceof PdfReference && (kept.has(kid.number) || fields.has(kid.number));
  const left = kids.filter(isKept);
  if (left.length < kids.length) update.set(reference, new Map(field).set('Kids', left));
}
