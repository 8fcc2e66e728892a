/**
 * Writes some pages of a document as a new file. The file contains only the objects that these pages and the pruned
 * catalog need. The time is proportional to the size of the part, not to the size of the file, as it would be for a
 * program that reads the whole file for each part.
 */
import type { PdfDocument } from './document.ts';
import { IncrementalUpdate } from './incremental-update.ts';
import { dictionary, isDictionary, name, PdfDamage, PdfReference } from './objects.ts';
import type { OpenedFile } from './opened-file.ts';
import type { LabelsOf } from './page-labels.ts';
import type { Page } from './pages.ts';
import { pruneDocument } from './prune-document.ts';
import { identifiers, wholeFile } from './whole-file.ts';
import { WrittenObjects } from './written-objects.ts';

const CATALOG = 1;
const PAGE_TREE = 2;

/**
 * Returns the bytes of the part. `indexes` are the indexes of its pages, from 0 and without duplicates. Throws
 * PdfDamage.
 */
export function writePart(
  file: OpenedFile,
  labelsOf: LabelsOf,
  indexes: readonly number[],
): Uint8Array {
  const { document, pages } = file;
  const { reference: root, dictionary: old } = document.catalog;
  const tree = old.get('Pages');
  if (!(tree instanceof PdfReference)) throw new PdfDamage('there is no page tree');
  const update = new IncrementalUpdate(document);
  pruneDocument(file, new Set(indexes), update);
  const objects = new WrittenObjects(update);
  objects.number(root, CATALOG);
  objects.number(tree, PAGE_TREE);
  // References to pages outside the part become null.
  for (const { reference } of pages.list) objects.number(reference, 0);
  const kids = indexes.map((index) => pages.list[index]!.reference);
  for (const [position, reference] of kids.entries()) {
    objects.number(reference, PAGE_TREE + 1 + position);
  }
  const catalog = update.current(root);
  if (!isDictionary(catalog)) throw new PdfDamage('there is no document catalog');
  const labels = labelsOf(indexes);
  const labeled = new Map(catalog).set('PageLabels', labels ?? null);
  if (!labels) labeled.delete('PageLabels');
  objects.write(CATALOG, labeled);
  objects.write(PAGE_TREE, dictionary({ Type: name('Pages'), Kids: kids, Count: kids.length }));
  for (const [position, index] of indexes.entries()) {
    objects.write(PAGE_TREE + 1 + position, wholePage(document, update, pages.list[index]!, tree));
  }
  const info = document.trailer.get('Info');
  const information = isDictionary(info) ? update.add(info) : info;
  const infoNumber = information instanceof PdfReference ? objects.numberOf(information) : 0;
  objects.writeFound();
  const compressed = document.crossReference.isStream;
  const reference = (number: number) => (number > 0 ? new PdfReference(number, 0) : undefined);
  const trailer = dictionary({
    Root: reference(CATALOG),
    Info: reference(infoNumber),
    ID: identifiers(document.resolve(document.trailer.get('ID'))),
  });
  return wholeFile(document.bytes, objects, { compressed, trailer });
}

/** Returns a page with its inherited entries, and with the page tree of the part as its parent. */
function wholePage(
  document: PdfDocument,
  source: IncrementalUpdate,
  { reference, inherited }: Page,
  tree: PdfReference,
) {
  const page = source.current(reference);
  if (!isDictionary(page)) throw new PdfDamage('a page is missing');
  const whole = new Map(page).set('Parent', tree);
  for (const [key, value] of inherited) {
    if (document.resolve(page.get(key)) === null) whole.set(key, value);
  }
  return whole;
}
