/** Prunes the structure tree of a tagged file to the elements of the retained pages (ISO 32000-1, section 14.7). */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import {
  dictionary,
  isDictionary,
  type PdfDictionary,
  PdfReference,
  type PdfValue,
} from './objects.ts';
import type { Page } from './pages.ts';
import { readNumberTree } from './trees.ts';

const MAX_ELEMENTS = 500_000;
const MAX_ANNOTATIONS = 500_000;

/** References to elements by object number. */
type Elements = Map<number, PdfReference>;

/**
 * Returns the structure tree root for a file that contains only these pages, or undefined if no element is retained.
 * The search starts at the pages, so its cost depends only on the number of retained elements and the size of the
 * parent tree. Pages, annotations and XObjects have keys in that tree (section 14.7.4.4), and elements refer to their
 * parents.
 */
export function prunedStructureTree(
  document: PdfDocument,
  update: IncrementalUpdate,
  retainedPages: readonly Page[],
): PdfDictionary | PdfReference | undefined {
  const root = document.dictionary(document.catalog.dictionary.get('StructTreeRoot'));
  if (!root) return undefined;
  const parents = readNumberTree(document, root.get('ParentTree'));
  const retainedNumbers = new Set(retainedPages.map((page) => page.reference.number));
  const elements: Elements = new Map();
  const parentItems: [number, PdfValue][] = [];
  for (const key of structureKeys(document, retainedPages)) {
    const value = parents.get(key);
    if (value === undefined) continue;
    parentItems.push([key, value]);
    for (const item of document.list(value)) climb(document, item, elements);
  }
  for (const reference of elements.values()) {
    const element = document.resolve(reference);
    if (isDictionary(element))
      update.set(reference, retainedElement(document, element, elements, retainedNumbers));
  }
  const kids = document.list(root.get('K')).filter((kid) => isRetainedElement(kid, elements));
  if (kids.length === 0) return undefined;
  parentItems.sort(([left], [right]) => left - right);
  const pruned = new Map(root).set('K', kids);
  // The IDTree may refer to dropped elements.
  pruned.delete('IDTree');
  pruned.set('ParentTree', update.add(dictionary({ Nums: parentItems.flat() })));
  const reference = document.catalog.dictionary.get('StructTreeRoot');
  // The root keeps its object number, because its elements refer to it as their parent.
  if (!(reference instanceof PdfReference)) return pruned;
  update.set(reference, pruned);
  return reference;
}

/** Returns the parent tree keys of the pages, their annotations and their XObjects. */
function structureKeys(document: PdfDocument, pages: readonly Page[]): Set<number> {
  const keys = new Set<number>();
  let looked = 0;
  const add = (value: PdfValue | undefined) => {
    const key = document.number(value);
    if (key !== undefined) keys.add(key);
  };
  for (const { dictionary: page } of pages) {
    add(page.get('StructParents'));
    const annotations = document.array(page.get('Annots')) ?? [];
    looked += annotations.length;
    if (looked > MAX_ANNOTATIONS) break;
    for (const item of annotations) add(document.dictionary(item)?.get('StructParent'));
    const resources = document.dictionary(page.get('Resources'));
    for (const item of document.dictionary(resources?.get('XObject'))?.values() ?? []) {
      const object = document.resolve(item);
      if (!object || typeof object !== 'object' || !('dictionary' in object)) continue;
      add(object.dictionary.get('StructParent'));
      add(object.dictionary.get('StructParents'));
    }
  }
  return keys;
}

function climb(document: PdfDocument, start: PdfValue, elements: Elements): void {
  let next: PdfValue | undefined = start;
  while (next instanceof PdfReference && !elements.has(next.number)) {
    const element = document.resolve(next);
    // The root has no S entry, so it is not an element.
    if (!isDictionary(element) || !element.has('S') || elements.size > MAX_ELEMENTS) return;
    elements.set(next.number, next);
    next = element.get('P');
  }
}

const isRetainedElement = (value: PdfValue, elements: Elements) =>
  value instanceof PdfReference && elements.has(value.number);

function retainedElement(
  document: PdfDocument,
  element: PdfDictionary,
  elements: Elements,
  retainedNumbers: ReadonlySet<number>,
): PdfDictionary {
  const onRetainedPage = (page: PdfValue | undefined) =>
    page instanceof PdfReference && retainedNumbers.has(page.number);
  const ownPage = element.get('Pg');
  const kids = document.list(element.get('K')).filter((kid) => {
    if (isRetainedElement(kid, elements)) return true;
    const resolved = document.resolve(kid);
    if (typeof resolved === 'number') return onRetainedPage(ownPage);
    // A kid without an S entry is a marked-content or object reference (section 14.7.4.2). A kid with an S entry is an
    // element that is not retained.
    return (
      isDictionary(resolved) && !resolved.has('S') && onRetainedPage(resolved.get('Pg') ?? ownPage)
    );
  });
  const retained = new Map(element).set('K', kids);
  if (ownPage !== undefined && !onRetainedPage(ownPage)) retained.delete('Pg');
  // The Ref entry lists related elements, such as footnotes (ISO 32000-2, section 14.7.2).
  const others = document.array(element.get('Ref'));
  if (others) {
    retained.set(
      'Ref',
      others.filter((other) => isRetainedElement(other, elements)),
    );
  }
  return retained;
}
