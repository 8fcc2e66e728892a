/**
 * Removes references from retained pages to other pages. Such references occur in shared fields, replies, actions and
 * threads.
 */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { isDictionary, type PdfDictionary, PdfReference, type PdfValue } from './objects.ts';
import type { Page, Pages } from './pages.ts';
import { ActionPruner } from './prune-actions.ts';

const MAX_ANNOTATIONS = 500_000;
/**
 * The page keys for beads of article threads (section 12.4.3) and document parts (ISO 32000-2, section 14.12). The
 * lists to which they belong are dropped.
 */
const OF_THE_DOCUMENT = ['B', 'DPart'];

/**
 * Removes references to other pages from annotations and their fields. `listed` contains the object numbers of the
 * fields that the form lists. `prunedForm` handles these fields.
 */
export function pruneAnnotations(
  document: PdfDocument,
  update: IncrementalUpdate,
  pages: Pages,
  retainedPages: readonly Page[],
  listed: ReadonlySet<number>,
): void {
  const annotated = retainedPages.map((page) => ({
    page,
    annotations: document.array(page.dictionary.get('Annots')) ?? [],
  }));
  const retained = new Set<number>();
  const fields = new Map<number, PdfReference>();
  for (const { annotations } of annotated) {
    for (const item of annotations) {
      if (item instanceof PdfReference) retained.add(item.number);
      climb(document, item, fields);
    }
    if (retained.size > MAX_ANNOTATIONS) break;
  }
  const actions = new ActionPruner(
    update,
    (number) => pages.indexOf.has(number),
    (number) => retained.has(number) || fields.has(number),
  );
  for (const { page, annotations } of annotated) {
    const cut = annotations.map((item) => withoutOthers(update, item, retained, actions) ?? item);
    const current = update.current(page.reference);
    if (!isDictionary(current)) continue;
    const own = new Map(actions.pruned(current));
    for (const key of OF_THE_DOCUMENT) own.delete(key);
    if (cut.some((item, index) => item !== annotations[index])) own.set('Annots', cut);
    if ([...current].some(([key, value]) => own.get(key) !== value)) {
      update.set(page.reference, own);
    }
  }
  for (const reference of [document.catalog.reference, ...fields.values()]) {
    const current = update.current(reference);
    const own = isDictionary(current) ? actions.pruned(current) : current;
    if (own !== current) update.set(reference, own);
  }
  for (const [number, reference] of fields) {
    if (!listed.has(number)) pruneKids(document, update, reference, fields, retained);
  }
}

/** Adds an annotation and its ancestors to `fields`. */
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

/**
 * Removes references to other pages from an annotation. Writes a changed indirect annotation to `update`. Returns a
 * changed direct annotation, and undefined in all other cases.
 */
function withoutOthers(
  update: IncrementalUpdate,
  item: PdfValue,
  retained: ReadonlySet<number>,
  actions: ActionPruner,
): PdfDictionary | undefined {
  const annotation = item instanceof PdfReference ? update.current(item) : item;
  if (!isDictionary(annotation)) return undefined;
  const own = actions.pruned(
    withoutReply(withoutPopup(update, annotation, item, retained), retained),
  );
  if (own === annotation) return undefined;
  if (!(item instanceof PdfReference)) return own;
  update.set(item, own);
  return undefined;
}

/** Returns the annotation without its reply reference, unless the reference points to a retained annotation. */
function withoutReply(annotation: PdfDictionary, retained: ReadonlySet<number>): PdfDictionary {
  const target = annotation.get('IRT');
  if (target === undefined || (target instanceof PdfReference && retained.has(target.number))) {
    return annotation;
  }
  const alone = new Map(annotation);
  alone.delete('IRT');
  alone.delete('RT');
  return alone;
}

/** Returns the annotation without its popup, unless the popup is retained or belongs only to this annotation. */
function withoutPopup(
  update: IncrementalUpdate,
  annotation: PdfDictionary,
  item: PdfValue,
  retained: ReadonlySet<number>,
): PdfDictionary {
  const popup = annotation.get('Popup');
  if (!(popup instanceof PdfReference) || retained.has(popup.number)) return annotation;
  const window = update.current(popup);
  const owner = isDictionary(window) ? window.get('Parent') : undefined;
  const isOwn = owner instanceof PdfReference && item instanceof PdfReference;
  if (isOwn && owner.number === item.number) return annotation;
  const alone = new Map(annotation);
  alone.delete('Popup');
  return alone;
}

function pruneKids(
  document: PdfDocument,
  update: IncrementalUpdate,
  reference: PdfReference,
  fields: ReadonlyMap<number, PdfReference>,
  retained: ReadonlySet<number>,
): void {
  const field = update.current(reference);
  const kids = isDictionary(field) && document.array(field.get('Kids'));
  if (!kids) return;
  const isRetained = (kid: PdfValue) =>
    kid instanceof PdfReference && (retained.has(kid.number) || fields.has(kid.number));
  const left = kids.filter(isRetained);
  if (left.length < kids.length) update.set(reference, new Map(field).set('Kids', left));
}
