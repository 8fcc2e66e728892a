/**
 * Prepares a file for the extraction of some pages. Removes data of the other pages from the catalog, because qpdf
 * keeps the whole catalog when it splits a file.
 */

import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { namedDestinations } from './named-destinations.ts';
import { dictionary, isDictionary, name, type PdfDictionary, type PdfValue } from './objects.ts';
import type { OpenedFile } from './opened-file.ts';
import { prunedOutlines } from './outlines.ts';
import type { Page } from './pages.ts';
import { pruneAnnotations } from './prune-annotations.ts';
import { prunedForm } from './prune-forms.ts';
import { prunedStructureTree } from './prune-structure-tree.ts';
import { writeOutlineItems } from './write-outlines.ts';

/** Catalog keys (section 7.7.2) whose values do not refer to individual pages. Other entries are pruned or dropped. */
const RETAINED_ENTRIES = new Set(
  (
    'Type Version Extensions Pages PageLabels ViewerPreferences PageLayout PageMode AA URI ' +
    'Lang OCProperties Metadata OutputIntents MarkInfo'
  ).split(' '),
);
/** Name trees (section 7.7.4) that do not contain page content. */
const RETAINED_NAME_TREES = ['JavaScript', 'Renditions'];
/** Attachments belong to the whole document, so they are retained only on request. */
const ATTACHMENTS = 'EmbeddedFiles';

/** Whether the catalog has entries to prune or drop. */
function needsPruning(document: PdfDocument): boolean {
  for (const key of document.catalog.dictionary.keys()) if (!RETAINED_ENTRIES.has(key)) return true;
  return false;
}

/** Prunes the document to the retained pages, and writes the changes to `update`. Page indexes start at 0. */
export function pruneDocument(
  file: OpenedFile,
  retained: ReadonlySet<number>,
  update: IncrementalUpdate,
): void {
  const { document, pages } = file;
  const retainedPages = [...retained].flatMap((index) => pages.list[index] ?? []);
  const listed = new Set<number>();
  if (needsPruning(document)) pruneCatalog(file, retained, retainedPages, listed, update);
  pruneAnnotations(document, update, pages, retainedPages, listed);
}

/** Adds the numbers of the fields that the form lists to `listed`. */
function pruneCatalog(
  file: OpenedFile,
  retained: ReadonlySet<number>,
  retainedPages: readonly Page[],
  listed: Set<number>,
  update: IncrementalUpdate,
): void {
  const { document, pages } = file;
  const { reference, dictionary: old } = document.catalog;
  const catalog: PdfDictionary = new Map();
  for (const [key, value] of old) if (RETAINED_ENTRIES.has(key)) catalog.set(key, value);
  const put = (key: string, value: PdfValue | undefined) => {
    if (value !== undefined) catalog.set(key, value);
  };
  put('OpenAction', prunedOpenAction(file, old.get('OpenAction'), retained));
  put('Dests', prunedOldDestinations(file, old.get('Dests'), retained));
  put('Names', prunedNames(file, document.dictionary(old.get('Names')), retained, update));
  if (old.has('AcroForm')) put('AcroForm', prunedForm(document, update, retainedPages, listed));
  if (old.has('StructTreeRoot')) {
    put('StructTreeRoot', prunedStructureTree(document, update, retainedPages));
  }
  if (!catalog.has('StructTreeRoot')) catalog.delete('MarkInfo');
  const items = prunedOutlines(file.outlines, (index) => retained.has(index));
  if (items.length > 0) {
    const root = update.allocate();
    const pageAt = (index: number) => pages.list[index]?.reference;
    const level = writeOutlineItems(update, items, root, pageAt);
    const [first] = level.references;
    const entries = { First: first, Last: level.references.at(-1), Count: level.visible };
    update.set(root, dictionary({ Type: name('Outlines'), ...entries }));
    put('Outlines', root);
  }
  update.set(reference, catalog);
}

function prunedOpenAction(
  file: OpenedFile,
  value: PdfValue | undefined,
  retained: ReadonlySet<number>,
): PdfValue | undefined {
  const action = file.document.resolve(value);
  const isJump = isDictionary(action) && file.document.isNamed(action.get('S'), 'GoTo');
  if (isDictionary(action) && !isJump) return value;
  const destination = file.destinations.resolve(isDictionary(action) ? action.get('D') : action);
  return destination && retained.has(destination.pageIndex) ? value : undefined;
}

/** Returns a destination in its explicit form, or undefined if its page is not retained. */
function retainedDestination(
  file: OpenedFile,
  value: PdfValue,
  retained: ReadonlySet<number>,
): PdfValue[] | undefined {
  const destination = file.destinations.explicit(value);
  if (!destination || !retained.has(destination.pageIndex)) return undefined;
  const page = file.pages.list[destination.pageIndex];
  return page && [page.reference, ...destination.view];
}

function prunedOldDestinations(
  file: OpenedFile,
  value: PdfValue | undefined,
  retained: ReadonlySet<number>,
): PdfDictionary | undefined {
  const result: PdfDictionary = new Map();
  for (const [key, target] of file.document.dictionary(value) ?? []) {
    const destination = retainedDestination(file, target, retained);
    if (destination) result.set(key, destination);
  }
  return result.size > 0 ? result : undefined;
}

function prunedNames(
  file: OpenedFile,
  names: PdfDictionary | undefined,
  retained: ReadonlySet<number>,
  update: IncrementalUpdate,
): PdfDictionary | undefined {
  if (!names) return undefined;
  const result: PdfDictionary = new Map();
  for (const key of [...RETAINED_NAME_TREES, ...(file.keepsAttachments ? [ATTACHMENTS] : [])]) {
    const tree = names.get(key);
    if (tree !== undefined) result.set(key, tree);
  }
  const named = namedDestinations(file, names.get('Dests'), retained);
  if (named.length > 0) {
    const items = named.flatMap(({ name, target }) => [name, target]);
    result.set('Dests', update.add(dictionary({ Names: items })));
  }
  return result.size > 0 ? result : undefined;
}
