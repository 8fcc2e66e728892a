/**
 * Preserves a document's layers, attachments, tags and form resources when qpdf merges it, because qpdf copies only
 * pages. The entries are attached to the last page under a private key before the merge, and moved to the catalog
 * afterwards.
 */

import { structureRoot } from './append-structure.ts';
import { byteKey } from './byte-key.ts';
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import {
  dictionary,
  type PdfDictionary,
  PdfReference,
  PdfString,
  type PdfValue,
} from './objects.ts';
import type { Page } from './pages.ts';
import { type NamedValue, readNameTree } from './trees.ts';

const PRIVATE_KEY = 'ToolsServiceCarried';

/**
 * Returns the entries to preserve, or undefined if there are none. They include the structure tree if `withTags` is
 * set.
 */
function carriedEntries(document: PdfDocument, withTags: boolean): PdfDictionary | undefined {
  const catalog = document.catalog.dictionary;
  const layers = document.dictionary(catalog.get('OCProperties'));
  const names = document.dictionary(catalog.get('Names'));
  const files = names && document.dictionary(names.get('EmbeddedFiles'));
  const tree = withTags ? structureRoot(document) : undefined;
  const form = document.dictionary(catalog.get('AcroForm'));
  const resources = document.dictionary(form?.get('DR'));
  if (!layers && !files && !tree && !resources) return undefined;
  return dictionary({
    OCProperties: layers,
    EmbeddedFiles: files,
    StructTreeRoot: tree,
    DR: resources,
    DA: resources && form?.get('DA'),
  });
}

/** Whether the catalog has entries to preserve. Tags count only if `withTags` is set. */
export const hasCarriedEntries = (document: PdfDocument, withTags: boolean): boolean =>
  carriedEntries(document, withTags) !== undefined;

/**
 * Attaches the entries to preserve, such as OCProperties (section 8.11.4) and EmbeddedFiles (section 7.11.4), to the
 * last page, and removes the default resources from the form. When qpdf copies this page, it has already copied every
 * page to which these entries may refer.
 */
export function packCarriedEntries(
  document: PdfDocument,
  lastPage: Page,
  update: IncrementalUpdate,
  withTags: boolean,
): void {
  const carried = carriedEntries(document, withTags);
  if (!carried) return;
  update.set(lastPage.reference, new Map(lastPage.dictionary).set(PRIVATE_KEY, carried));
  if (!carried.has('DR')) return;
  const { reference, dictionary: catalog } = update.catalog;
  const form = new Map(document.dictionary(catalog.get('AcroForm')));
  form.delete('DR');
  update.set(reference, catalog.set('AcroForm', form));
}

/** The entries of a source file that must be adapted to the merged file before they are added to it. */
export interface UnpackedEntries {
  /** The root of the structure tree. */
  tree?: PdfReference;
  /** The default resources and the default appearance of the form. */
  form?: { resources: PdfDictionary; appearance: PdfValue | undefined };
}

/**
 * Moves the layers and attachments from these last pages to the catalog, and deletes PRIVATE_KEY. Returns the other
 * entries of each source file.
 */
export function unpackCarriedEntries(
  merged: PdfDocument,
  update: IncrementalUpdate,
  lastPages: readonly PdfReference[],
): UnpackedEntries[] {
  const unpacked: UnpackedEntries[] = lastPages.map(() => ({}));
  const files: NamedValue[] = [];
  const layers: PdfDictionary[] = [];
  for (const [index, reference] of lastPages.entries()) {
    const page = update.current(reference);
    const carried = page instanceof Map ? merged.dictionary(page.get(PRIVATE_KEY)) : undefined;
    if (!carried || !(page instanceof Map)) continue;
    pushAll(files, readNameTree(merged, carried.get('EmbeddedFiles')));
    const properties = merged.dictionary(carried.get('OCProperties'));
    if (properties) layers.push(properties);
    const tree = carried.get('StructTreeRoot');
    if (tree instanceof PdfReference) unpacked[index]!.tree = tree;
    const resources = merged.dictionary(carried.get('DR'));
    if (resources) unpacked[index]!.form = { resources, appearance: carried.get('DA') };
    const clean = new Map(page);
    clean.delete(PRIVATE_KEY);
    update.set(reference, clean);
  }
  if (files.length === 0 && layers.length === 0) return unpacked;
  const { reference, dictionary: catalog } = update.catalog;
  if (files.length > 0) addFiles(merged, update, catalog, files);
  const first = merged.dictionary(catalog.get('OCProperties'));
  const all = first ? [first, ...layers] : layers;
  if (layers.length > 0) catalog.set('OCProperties', joinedLayers(merged, all));
  update.set(reference, catalog);
  return unpacked;
}

function addFiles(
  merged: PdfDocument,
  update: IncrementalUpdate,
  catalog: PdfDictionary,
  added: readonly NamedValue[],
): void {
  const names = new Map(merged.dictionary(catalog.get('Names')) ?? []);
  const byName = new Map<string, NamedValue>();
  /** The next number to try for each name. Without it, many equal names would take quadratic time. */
  const nextNumbers = new Map<string, number>();
  for (const pair of [...readNameTree(merged, names.get('EmbeddedFiles')), ...added]) {
    let { key } = pair;
    const name = byteKey(key);
    let number = nextNumbers.get(name) ?? 2;
    // Changing the key is safe, because the file specification contains the file's name.
    for (; byName.has(byteKey(key)); number += 1) {
      key = Uint8Array.from([...pair.key, ...[...` (${number})`].flatMap(inTheWidthOf(pair.key))]);
    }
    nextNumbers.set(name, number);
    byName.set(byteKey(key), { key, value: pair.value });
  }
  const sorted = [...byName].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  const items = sorted.flatMap(([, pair]) => [new PdfString(pair.key), pair.value]);
  names.set('EmbeddedFiles', update.add(dictionary({ Names: items })));
  catalog.set('Names', names);
}

/** Appends the items one by one, because `push(...items)` would overflow the stack. */
function pushAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

const inTheWidthOf =
  (key: Uint8Array) =>
  (character: string): number[] =>
    key[0] === 0xfe && key[1] === 0xff ? [0, character.charCodeAt(0)] : [character.charCodeAt(0)];

/** Joins the layers of several files. Each layer keeps its initial state from the original file. */
function joinedLayers(document: PdfDocument, all: readonly PdfDictionary[]): PdfDictionary {
  const groups: PdfValue[] = [];
  const shown: PdfValue[] = [];
  const hidden: PdfValue[] = [];
  const lists = { Order: [] as PdfValue[], RBGroups: [] as PdfValue[], Locked: [] as PdfValue[] };
  const usage: PdfValue[] = [];
  for (const properties of all) {
    const configuration = document.dictionary(properties.get('D')) ?? new Map();
    const listed = (key: string) => document.array(configuration.get(key)) ?? [];
    const numbers = (key: string) =>
      new Set(listed(key).map((item) => (item instanceof PdfReference ? item.number : -1)));
    const off = numbers('OFF');
    const on = numbers('ON');
    const offUnlessNamed = document.isNamed(configuration.get('BaseState'), 'OFF');
    for (const group of document.array(properties.get('OCGs')) ?? []) {
      if (!(group instanceof PdfReference)) continue;
      groups.push(group);
      const isHidden = offUnlessNamed ? !on.has(group.number) : off.has(group.number);
      (isHidden ? hidden : shown).push(group);
    }
    for (const key of ['Order', 'RBGroups', 'Locked'] as const) pushAll(lists[key], listed(key));
    pushAll(usage, listed('AS'));
  }
  const first = document.dictionary(all[0]?.get('D')) ?? new Map();
  const configuration: PdfDictionary = new Map(first);
  configuration.delete('BaseState');
  configuration.set('ON', shown).set('OFF', hidden);
  for (const [key, items] of [...Object.entries(lists), ['AS', usage] as const]) {
    if (items.length > 0) configuration.set(key, items);
  }
  return new Map(all[0]).set('OCGs', groups).set('D', configuration);
}
