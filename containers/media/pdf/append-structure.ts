/** Joins the structure trees of merged files under a single Document element. */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import {
  dictionary,
  isDictionary,
  name,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from './objects.ts';
import { readNumberTree } from './trees.ts';

export interface AppendedTree {
  /** The root of the tree, by its reference in the merged file. */
  root: PdfReference;
  /** The pages to which the tree belongs, by their references in the merged file. */
  pages: readonly PdfReference[];
}

/**
 * Returns the root of a document's structure tree (ISO 32000-1, section 14.7.2), if it is an
 * indirect object.
 */
export function structureRoot(document: PdfDocument): PdfReference | undefined {
  const root = document.catalog.dictionary.get('StructTreeRoot');
  const isTree = root instanceof PdfReference && document.dictionary(root) !== undefined;
  return isTree ? root : undefined;
}

/** Whether a document claims to be tagged (section 14.8.1). */
export const isMarked = (document: PdfDocument): boolean =>
  structureRoot(document) !== undefined &&
  document.resolve(markInfo(document)?.get('Marked')) === true;

/** Marks the merged file as not tagged. */
export function withdrawMark(merged: PdfDocument, update: IncrementalUpdate): void {
  const marks = markInfo(merged);
  if (merged.resolve(marks?.get('Marked')) !== true) return;
  const { reference, dictionary: catalog } = update.catalog;
  update.set(reference, catalog.set('MarkInfo', new Map(marks).set('Marked', false)));
}

const markInfo = (document: PdfDocument) =>
  document.dictionary(document.catalog.dictionary.get('MarkInfo'));

/** Appends the trees to the structure tree of the merged file, in order. Renumbers their keys in the parent tree. */
export function appendStructures(
  merged: PdfDocument,
  update: IncrementalUpdate,
  trees: readonly AppendedTree[],
): void {
  const reference = structureRoot(merged);
  const first = merged.dictionary(reference);
  if (!reference || !first || trees.length === 0) return;
  const parents = readNumberTree(merged, first.get('ParentTree'));
  const document = update.add(null);
  const moved = (tree: PdfDictionary) =>
    merged.list(tree.get('K')).map((element) => withParent(update, element, document));
  const kids = [moved(first)];
  const roles = new Map(merged.dictionary(first.get('RoleMap')) ?? []);
  const renumbered = new Set<number | PdfDictionary>();
  for (const { root, pages } of trees) {
    const tree = merged.dictionary(root);
    if (!tree) continue;
    const offset = largestKey(parents) + 1;
    for (const [key, value] of readNumberTree(merged, tree.get('ParentTree'))) {
      parents.set(key + offset, value);
    }
    for (const page of pages) renumberPage(merged, update, page, offset, renumbered);
    for (const [role, type] of merged.dictionary(tree.get('RoleMap')) ?? []) {
      if (!roles.has(role)) roles.set(role, type);
    }
    kids.push(moved(tree));
    update.set(root, null);
  }
  const element = { Type: name('StructElem'), S: name('Document'), P: reference };
  update.set(document, dictionary({ ...element, K: kids.flat() }));
  const items = [...parents].sort(([left], [right]) => left - right).flat();
  const joined = new Map(first).set('K', document);
  joined.set('ParentTree', update.add(dictionary({ Nums: items })));
  joined.set('ParentTreeNextKey', largestKey(parents) + 1);
  if (roles.size > 0) joined.set('RoleMap', roles);
  update.set(reference, joined);
}

/**
 * Sets the parent of a structure element. If the element is an indirect object, updates the object and returns the same
 * reference.
 */
function withParent(update: IncrementalUpdate, item: PdfValue, parent: PdfReference): PdfValue {
  const element = item instanceof PdfReference ? update.current(item) : item;
  if (!isDictionary(element)) return item;
  const changed = new Map(element).set('P', parent);
  if (!(item instanceof PdfReference)) return changed;
  update.set(item, changed);
  return item;
}

/** Returns the largest key, or -1 if there are none. `Math.max(...keys)` would overflow the stack. */
function largestKey(parents: ReadonlyMap<number, unknown>): number {
  let largest = -1;
  for (const key of parents.keys()) largest = Math.max(largest, key);
  return largest;
}

/** Adds `offset` to the parent tree keys of a page, its annotations and its XObjects. */
function renumberPage(
  merged: PdfDocument,
  update: IncrementalUpdate,
  reference: PdfReference,
  offset: number,
  done: Set<number | PdfDictionary>,
): void {
  const page = update.current(reference);
  if (!isDictionary(page)) return;
  const changed = shifted(page, offset, merged);
  const annotations = merged.array(page.get('Annots'))?.map((item) => {
    if (!(item instanceof PdfReference))
      return isDictionary(item) ? shifted(item, offset, merged) : item;
    const annotation = update.current(item);
    if (isDictionary(annotation) && annotation.has('StructParent') && !done.has(item.number)) {
      done.add(item.number);
      update.set(item, shifted(annotation, offset, merged));
    }
    return item;
  });
  if (annotations) changed.set('Annots', annotations);
  update.set(reference, changed);
  const resources = merged.dictionary(page.get('Resources'));
  const drawings = merged.dictionary(resources?.get('XObject'));
  // Pages can share this dictionary.
  if (!drawings || done.has(drawings)) return;
  done.add(drawings);
  for (const item of drawings.values()) {
    const object = merged.resolve(item);
    if (!(item instanceof PdfReference) || !(object instanceof PdfStream)) continue;
    const isTagged =
      object.dictionary.has('StructParent') || object.dictionary.has('StructParents');
    if (!isTagged || done.has(item.number)) continue;
    done.add(item.number);
    update.set(item, new PdfStream(shifted(object.dictionary, offset, merged), object.encoded));
  }
}

function shifted(entries: PdfDictionary, offset: number, merged: PdfDocument): PdfDictionary {
  const changed = new Map(entries);
  for (const key of ['StructParent', 'StructParents']) {
    const value = merged.resolve(entries.get(key));
    if (typeof value === 'number') changed.set(key, value + offset);
  }
  return changed;
}
