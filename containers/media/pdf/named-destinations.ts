/**
 * Reads a document's named destinations, grouped by page. They are read once per file and used for every part
 * that is extracted from it.
 */
import { byteKey } from './byte-key.ts';
import { PdfString, type PdfValue } from './objects.ts';
import type { OpenedFile } from './opened-file.ts';
import { readNameTree } from './trees.ts';

export interface NamedDestination {
  /** The key by which names are sorted. */
  key: string;
  name: PdfString;
  /** The page, followed by the view. */
  target: PdfValue[];
}

const read = new WeakMap<OpenedFile, Map<number, NamedDestination[]>>();

/**
 * Returns the destinations that point to the retained pages, sorted by name. `tree` is the name tree of the document.
 */
export function namedDestinations(
  file: OpenedFile,
  tree: PdfValue | undefined,
  retained: ReadonlySet<number>,
): NamedDestination[] {
  let byPage = read.get(file);
  if (!byPage) {
    byPage = readByPage(file, tree);
    read.set(file, byPage);
  }
  const found: NamedDestination[] = [];
  for (const page of retained) for (const named of byPage.get(page) ?? []) found.push(named);
  return found.sort((left, right) => (left.key < right.key ? -1 : 1));
}

function readByPage(
  { document, destinations, pages }: OpenedFile,
  tree: PdfValue | undefined,
): Map<number, NamedDestination[]> {
  // If a name occurs several times, the first entry takes precedence, as in `Destinations`. A map keeps the last one.
  const byName = new Map(
    readNameTree(document, tree)
      .toReversed()
      .map(({ key, value }) => [byteKey(key), { key, value }]),
  );
  const byPage = new Map<number, NamedDestination[]>();
  for (const [key, named] of byName) {
    const destination = destinations.explicit(named.value);
    const page = destination && pages.list[destination.pageIndex];
    if (!page) continue;
    const target = [page.reference, ...destination.view];
    const list = byPage.get(destination.pageIndex) ?? [];
    byPage.set(destination.pageIndex, list);
    list.push({ key, name: new PdfString(named.key), target });
  }
  return byPage;
}
