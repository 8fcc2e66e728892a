/** Leaves in the structure tree of a tagged file only the elements of the pages kept (ISO 32000-1 §14.7). */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import {
  arrayAt,
  dictionary,
  dictionaryAt,
  isDictionary,
  type PdfDictionary,
  PdfReference,
  type PdfValue,
} from './objects.ts';
import type { Page } from './pages.ts';
import { readNumberTree } from './trees.ts';

const MAXIMUM_ELEMENTS = 500_000;
const MAXIMUM_ANNOTATIONS = 500_000;

/** Object number of an element → the reference it is known by. */
type Elements = Map<number, PdfReference>;

/**
 * The structure tree root for a file of only these pages, or undefined where none of its elements is left.
 * Found from the pages upwards, so that it costs what is kept and not what there is: a page and an annotation
 * name their place in the parent tree (§14.7.4.4), its elements name their parents.
 */
export function prunedStructureTree(
  document: PdfDocument,
  update: IncrementalUpdate,
  keptPages: readonly Page[],
): PdfDictionary | PdfReference | undefined {
  const root = dictionaryAt(document, document.catalog.dictionary.get('StructTreeRoot'));
  if (!root) return undefined;
  const parents = readNumberTree(document, root.get('ParentTree'));
  const keptNumbers = new Set(keptPages.map((page) => page.reference.number));
  const elements: Elements = new Map();
  const parentItems: [number, PdfValue][] = [];
  for (const key of structureKeys(document, keptPages)) {
    const value = parents.get(key);
    if (value === undefined) continue;
    parentItems.push([key, value]);
    const listed = arrayAt(document, value) ?? [value];
    for (const item of listed) climb(document, item, elements);
  }
  for (const reference of elements.values()) {
    const element = document.resolve(reference);
    if (isDictionary(element))
      update.set(reference, keptElement(document, element, elements, keptNumbers));
  }
  const kids = childrenOf(document, root).filter((kid) => isKeptElement(kid, elements));
  if (kids.length === 0) return undefined;
  parentItems.sort(([left], [right]) => left - right);
  const pruned = new Map(root).set('K', kids);
  // Names of elements; what they name may be gone.
  pruned.delete('IDTree');
  pruned.set('ParentTree', update.add(dictionary({ Nums: parentItems.flat() })));
  const reference = document.catalog.dictionary.get('StructTreeRoot');
  // The elements below name the root as their parent: it keeps its object number.
  if (!(reference instanceof PdfReference)) return pruned;
  update.set(reference, pruned);
  return reference;
}

/** The keys of the pages and of their annotations in the parent tree. */
function structureKeys(document: PdfDocument, pages: readonly Page[]): Set<number> {
  const keys = new Set<number>();
  let looked = 0;
  const add = (value: PdfValue | undefined) => {
    const key = document.resolve(value);
    if (typeof key === 'number') keys.add(key);
  };
  for (const { dictionary: page } of pages) {
    add(page.get('StructParents'));
    const annotations = arrayAt(document, page.get('Annots')) ?? [];
    looked += annotations.length;
    if (looked > MAXIMUM_ANNOTATIONS) break;
    for (const item of annotations) add(dictionaryAt(document, item)?.get('StructParent'));
    const resources = dictionaryAt(document, page.get('Resources'));
    for (const item of dictionaryAt(document, resources?.get('XObject'))?.values() ?? []) {
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
    // The root is no element: it has no S.
    if (!isDictionary(element) || !element.has('S') || elements.size > MAXIMUM_ELEMENTS) return;
    elements.set(next.number, next);
    next = element.get('P');
  }
}

const isKeptElement = (value: PdfValue, elements: Elements) =>
  value instanceof PdfReference && elements.has(value.number);

const childrenOf = (document: PdfDocument, element: PdfDictionary): PdfValue[] => {
  const kids = element.get('K');
  return arrayAt(document, kids) ?? (kids === undefined ? [] : [kids]);
};

function keptElement(
  document: PdfDocument,
  element: PdfDictionary,
  elements: Elements,
  keptNumbers: ReadonlySet<number>,
): PdfDictionary {
  const onKeptPage = (page: PdfValue | undefined) =>
    page instanceof PdfReference && keptNumbers.has(page.number);
  const ownPage = element.get('Pg');
  const kids = childrenOf(document, element).filter((kid) => {
    if (isKeptElement(kid, elements)) return true;
    const resolved = document.resolve(kid);
    if (typeof resolved === 'number') return onKeptPage(ownPage);
    // A marked-content or object reference (§14.7.4.2); an element that is not kept has S.
    return (
      isDictionary(resolved) && !resolved.has('S') && onKeptPage(resolved.get('Pg') ?? ownPage)
    );
  });
  const kept = new Map(element).set('K', kids);
  if (ownPage !== undefined && !onKeptPage(ownPage)) kept.delete('Pg');
  // Elements elsewhere that it speaks of, such as footnotes (ISO 32000-2 §14.7.2).
  const others = arrayAt(document, element.get('Ref'));
  if (others) {
    kept.set(
      'Ref',
      others.filter((other) => isKeptElement(other, elements)),
    );
  }
  return kept;
}
