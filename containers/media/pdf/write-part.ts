/**
 * Writes some pages of a document as a file: only what they and the pruned catalog need. It takes time proportional to
 * the part, while a program that reads the file for every part takes time proportional to the file.
 */

import { joinBytes } from '../../../src/lib/join-bytes.ts';
import type { PdfDocument } from './document.ts';
import { IncrementalUpdate } from './incremental-update.ts';
import {
  dictionary,
  isDictionary,
  name,
  PdfDamage,
  PdfReference,
  PdfString,
  type PdfValue,
} from './objects.ts';
import type { OpenedFile } from './opened-file.ts';
import type { LabelsOf } from './page-labels.ts';
import type { Page } from './pages.ts';
import { pruneDocument } from './prune-document.ts';
import { asciiBytes } from './serialize.ts';
import { type Deflate, type WrittenObject, writeSection, writtenObject } from './write-section.ts';

const CATALOG = 1;
const PAGE_TREE = 2;
/** The PDF version that introduced object streams. */
const COMPRESSED_VERSION = '1.5';
/** Marks the file as binary for programs that transfer files (section 7.5.2). */
const BINARY_MARK = Uint8Array.of(37, 0xbf, 0xf7, 0xa2, 0xfe, 10);
const ID_BYTES = 16;

/** Returns the bytes of the part. `indexes`: the pages of the document, from 0, each once. Throws PdfDamage. */
export function writePart(
  file: OpenedFile,
  labelsOf: LabelsOf,
  indexes: readonly number[],
  deflate: Deflate,
): Uint8Array {
  const { document, pages } = file;
  const { reference: root, dictionary: old } = document.catalog;
  const tree = old.get('Pages');
  if (!(tree instanceof PdfReference)) throw new PdfDamage('there is no page tree');
  const update = new IncrementalUpdate(document, deflate);
  pruneDocument(file, new Set(indexes), update);
  const objects = new PartObjects(update);
  objects.number(root, CATALOG);
  objects.number(tree, PAGE_TREE);
  // References to pages that are not in the part become null.
  for (const { reference } of pages.list) objects.number(reference, 0);
  const kids = indexes.map((index) => pages.list[index]!.reference);
  for (const [position, reference] of kids.entries()) {
    objects.number(reference, PAGE_TREE + 1 + position);
  }
  const catalog = update.current(root);
  if (!isDictionary(catalog)) throw new PdfDamage('there is no document catalog');
  const labels = labelsOf(indexes);
  const labelled = new Map(catalog).set('PageLabels', labels ?? null);
  if (!labels) labelled.delete('PageLabels');
  objects.write(CATALOG, labelled);
  objects.write(PAGE_TREE, dictionary({ Type: name('Pages'), Kids: kids, Count: kids.length }));
  for (const [position, index] of indexes.entries()) {
    objects.write(PAGE_TREE + 1 + position, wholePage(document, update, pages.list[index]!, tree));
  }
  const info = document.trailer.get('Info');
  const infoNumber = info instanceof PdfReference ? objects.numberOf(info) : 0;
  objects.writeFound();
  const compressed = document.crossReference.isStream;
  const head = asciiBytes(`%PDF-${versionOf(document.bytes, compressed)}\n`);
  const section = {
    objects: objects.written,
    start: head.length + BINARY_MARK.length,
    next: objects.next,
    compressed,
    trailer: dictionary({
      Root: new PdfReference(CATALOG, 0),
      Info: infoNumber > 0 ? new PdfReference(infoNumber, 0) : undefined,
      ID: identifiers(document.resolve(document.trailer.get('ID'))),
    }),
  };
  const pieces = [head, BINARY_MARK, ...writeSection(section, deflate)];
  return joinBytes(
    pieces,
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  );
}

/** The objects of the part: found from those that are written, and renumbered. */
class PartObjects {
  readonly written: WrittenObject[] = [];
  next = 1;
  private readonly source: IncrementalUpdate;
  /** Number in the document → number in the part; 0 if it is not included. */
  private readonly numbers = new Map<number, number>();
  private readonly found: [number, PdfValue][] = [];
  private readonly text = (reference: PdfReference): string => {
    const number = this.numberOf(reference);
    return number > 0 ? `${number} 0 R` : 'null';
  };

  constructor(source: IncrementalUpdate) {
    this.source = source;
  }

  number(reference: PdfReference, number: number): void {
    this.numbers.set(reference.number, number);
    this.next = Math.max(this.next, number + 1);
  }

  numberOf(reference: PdfReference): number {
    if (this.source.isStale(reference)) return 0;
    const known = this.numbers.get(reference.number);
    if (known !== undefined) return known;
    const value = this.source.current(reference);
    const number = value === null ? 0 : this.next;
    this.number(reference, number);
    if (value !== null) this.found.push([number, value]);
    return number;
  }

  write(number: number, value: PdfValue): void {
    this.written.push(writtenObject(number, 0, value, this.text));
  }

  /** Writes the objects found, and those found in turn. */
  writeFound(): void {
    for (let next = this.found.pop(); next; next = this.found.pop()) this.write(...next);
  }
}

/** A page with its inherited entries, below the page tree of the part. */
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

/** The version in the file's first line; with object streams at least theirs. */
function versionOf(bytes: Uint8Array, compressed: boolean): string {
  const line = String.fromCharCode(...bytes.subarray(0, 8));
  const [, version = '1.7'] = /^%PDF-(\d\.\d)/.exec(line) ?? [];
  return compressed && version < COMPRESSED_VERSION ? COMPRESSED_VERSION : version;
}

/** The first identifies the source document, the second this file (section 14.4). */
function identifiers(old: PdfValue): PdfValue[] {
  const own = new PdfString(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
  const first = Array.isArray(old) ? old[0] : undefined;
  return [first instanceof PdfString ? first : own, own];
}
