/** Writes a complete file with a header, objects, a cross-reference section and a trailer. */
import { PdfString, type PdfValue } from './objects.ts';
import { asciiBytes } from './serialize.ts';
import { type Section, writeSection } from './write-section.ts';
import type { WrittenObjects } from './written-objects.ts';

/** The first PDF version that supports object streams. */
const COMPRESSED_VERSION = '1.5';
/** A comment that marks the file as binary for programs that transfer files (section 7.5.2). */
const BINARY_MARK = Uint8Array.of(37, 0xbf, 0xf7, 0xa2, 0xfe, 10);
const ID_BYTES = 16;

/** Returns a file with these objects. Its PDF version is at least that of the file `source`. */
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
 * Returns the version in the first line of the file. With object streams, returns at least the version that introduced
 * them.
 */
function versionOf(bytes: Uint8Array, compressed: boolean): string {
  const line = String.fromCharCode(...bytes.subarray(0, 8));
  const [, version = '1.7'] = /^%PDF-(\d\.\d)/.exec(line) ?? [];
  return compressed && version < COMPRESSED_VERSION ? COMPRESSED_VERSION : version;
}

/**
 * Returns two file identifiers. The first one identifies the original document, and the second one this file (section
 * 14.4).
 */
export function identifiers(old: PdfValue): PdfValue[] {
  const own = new PdfString(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
  const first = Array.isArray(old) ? old[0] : undefined;
  return [first instanceof PdfString ? first : own, own];
}
