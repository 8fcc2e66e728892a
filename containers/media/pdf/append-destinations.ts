/** Adds the named destinations of merged files, which qpdf does not copy (ISO 32000-1, section 12.3.2.3). */
import { byteKey } from './byte-key.ts';
import type { Destination, Destinations } from './destinations.ts';
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { dictionary, type PdfReference, PdfString, type PdfValue } from './objects.ts';
import { readNameTree } from './trees.ts';

export interface NamedTarget {
  name: Uint8Array;
  destination: Destination;
}

/**
 * Returns the named destinations of a document that point to a page, including those in the Dests dictionary of PDF
 * 1.1.
 */
export function namedTargets(document: PdfDocument, destinations: Destinations): NamedTarget[] {
  const catalog = document.catalog.dictionary;
  const names = document.dictionary(catalog.get('Names'));
  const old = document.dictionary(catalog.get('Dests')) ?? new Map<string, PdfValue>();
  const listed = [
    ...readNameTree(document, names?.get('Dests')).map(({ key, value }) => [key, value] as const),
    ...[...old].map(([key, value]) => [Buffer.from(key, 'latin1'), value] as const),
  ];
  return listed.flatMap(([name, value]) => {
    const destination = destinations.explicit(value);
    return destination ? [{ name, destination }] : [];
  });
}

/**
 * Adds the names to the merged file's name tree. If an earlier file uses the same name, the name keeps the target from
 * that file.
 */
export function appendDestinations(
  merged: PdfDocument,
  update: IncrementalUpdate,
  targets: readonly NamedTarget[],
  pageReferences: readonly PdfReference[],
): void {
  if (targets.length === 0) return;
  const { reference, dictionary: catalog } = update.catalog;
  const names = new Map(merged.dictionary(catalog.get('Names')) ?? []);
  const byName = new Map<string, [PdfString, PdfValue]>();
  for (const { key, value } of readNameTree(merged, names.get('Dests'))) {
    if (!byName.has(byteKey(key))) byName.set(byteKey(key), [new PdfString(key), value]);
  }
  const old = merged.dictionary(catalog.get('Dests'));
  for (const { name, destination } of targets) {
    const page = pageReferences[destination.pageIndex];
    const key = byteKey(name);
    if (!page || byName.has(key) || old?.has(key)) continue;
    byName.set(key, [new PdfString(name), [page, ...destination.view]]);
  }
  const sorted = [...byName].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  names.set('Dests', update.add(dictionary({ Names: sorted.flatMap(([, pair]) => pair) })));
  update.set(reference, catalog.set('Names', names));
}
