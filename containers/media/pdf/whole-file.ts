/** Writes a complete file: header, objects, cross-reference, trailer. */
import { PdfString, type PdfValue } from './objects.ts';
import { asciiBytes } from './serialize.ts';
import { type Section, writeSection } from './write-section.ts';
import type { WrittenObjects } from './written-objects.ts';

/** The PDF version that introduced object streams. */
const COMPRESSED_VERSION = '1.5';
/** Marks the file as binary for programs that transfer files (section 7.5.2). */
const BINARY_MARK = Uint8Array.of(37, 0xbf, 0xf7, 0xa2, 0xfe, 10);
const ID_BYTES = 16;

/**
 * Returns the bytes of a file with these objects and at least the version of the document `source`.
 */
export function wholeFile(
  source: Uint8Array,
  objects: Pick<WrittenObjects, 'written' | 'next'>,
  { compressed, trailer }: Pick<Section, 'compressed' | 'trailer'>,
): Uint8Array {
  const head = asciiBytes(`%PDF-${versionOf(source, compressed)}\n`);
  const start = head.length + BINARY_MARK.length;
  const section = { objects: objects.written, start, next: objects.next, compressed, trailer };
  return Buffer.concat([head, BINARY_MARK, ...writeSection(section)]);
}

/**
 * Returns the version in the file's first line; with object streams, at least the version that
 * introduced them.
 */
function versionOf(bytes: Uint8Array, compressed: boolean): string {
  const line = String.fromCharCode(...bytes.subarray(0, 8));
  const [, version = '1.7'] = /^%PDF-(\d\.\d)/.exec(line) ?? [];
  return compressed && version < COMPRESSED_VERSION ? COMPRESSED_VERSION : version;
}

/** The first identifies the source document, the second this file (section 14.4). */
export function identifiers(old: PdfValue): PdfValue[] {
  const own = new PdfString(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
  const first = Array.isArray(old) ? old[0] : undefined;
  return [first instanceof PdfString ? first : own, own];
}
