/**
 * Reads the offsets of all objects of a file, from cross-reference tables, cross-reference streams and hybrid files,
 * along the chain of Prev entries (ISO 32000-1, sections 7.5.4 to 7.5.8).
 */

import {
  isDictionary,
  isNamed,
  PdfDamage,
  type PdfDictionary,
  PdfStream,
  type PdfValue,
  UNRESOLVED,
} from './objects.ts';
import { Parser } from './parser.ts';
import { decodedStream } from './stream-data.ts';

/** The maximum number of sections. Editors append fewer sections than this. */
const MAX_SECTIONS = 2000;
const MAX_OBJECTS = 4_000_000;
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

const UNKNOWN = 0;
export const FREE = 1;
export const IN_USE = 2;
export const COMPRESSED = 3;

/** The entries of all sections, in arrays that are indexed by object number. Newer sections take precedence. */
export class CrossReference {
  trailer: PdfDictionary = new Map();
  /** The byte offset of the newest section. An incremental update records it as Prev. */
  start = 0;
  /** Whether the newest section is a cross-reference stream. */
  isStream = false;
  /** One more than the highest object number that has an entry, even if the entry is free. */
  size = 0;
  private kinds = new Uint8Array(1024);
  private offsets = new Float64Array(1024);
  private details = new Uint32Array(1024);

  kind(number: number): number {
    return this.kinds[number] ?? UNKNOWN;
  }
  /** Returns the byte offset if the object is IN_USE, or the number of the object stream if it is COMPRESSED. */
  offsetOf(number: number): number {
    return this.offsets[number] ?? 0;
  }
  /** Returns the generation if the object is IN_USE, or the index within the object stream if it is COMPRESSED. */
  detail(number: number): number {
    return this.details[number] ?? 0;
  }

  /** Adds an entry unless a newer section has already added one for this object. */
  add(number: number, kind: number, offset: number, detail: number): void {
    if (number >= MAX_OBJECTS) throw new PdfDamage('an object number is out of range');
    if (number >= this.kinds.length) this.grow(number);
    if (this.kinds[number] !== UNKNOWN) return;
    this.kinds[number] = kind;
    this.offsets[number] = offset;
    this.details[number] = detail;
    if (number >= this.size) this.size = number + 1;
  }

  private grow(number: number): void {
    const length = Math.max(number + 1, this.kinds.length * 2);
    const kinds = new Uint8Array(length);
    kinds.set(this.kinds);
    const offsets = new Float64Array(length);
    offsets.set(this.offsets);
    const details = new Uint32Array(length);
    details.set(this.details);
    Object.assign(this, { kinds, offsets, details });
  }
}

/** Returns the offset that the last `startxref` specifies. */
function startOffset(bytes: Uint8Array): number {
  const word = [115, 116, 97, 114, 116, 120, 114, 101, 102];
  const last = Math.max(0, bytes.length - 2048);
  for (let at = bytes.length - word.length; at >= last; at -= 1) {
    if (word.every((code, index) => bytes[at + index] === code)) {
      const offset = new Parser(bytes, at + word.length).integer();
      if (offset !== undefined) return offset;
    }
  }
  throw new PdfDamage('there is no startxref');
}

/** Reads all sections of the chain. Throws PdfDamage. */
export function readCrossReference(bytes: Uint8Array): CrossReference {
  const table = new CrossReference();
  const seen = new Set<number>();
  table.start = startOffset(bytes);
  let offset: number | undefined = table.start;
  while (offset !== undefined) {
    // The chain of sections contains a loop.
    if (seen.has(offset)) break;
    seen.add(offset);
    if (seen.size > MAX_SECTIONS) throw new PdfDamage('there are too many sections');
    const section = readSection(bytes, offset, table);
    if (seen.size === 1) {
      table.trailer = section.trailer;
      table.isStream = section.isStream;
    }
    const previous = section.trailer.get('Prev');
    offset = typeof previous === 'number' ? previous : undefined;
  }
  return table;
}

function readSection(
  bytes: Uint8Array,
  offset: number,
  table: CrossReference,
): { trailer: PdfDictionary; isStream: boolean } {
  if (offset >= bytes.length) throw new PdfDamage('a section lies outside the file');
  const parser = new Parser(bytes, offset);
  if (!parser.keyword('xref')) {
    return { trailer: readStream(parser, table), isStream: true };
  }
  const free = readTable(parser, table);
  const trailer = parser.value();
  if (!isDictionary(trailer)) throw new PdfDamage('a trailer is not a dictionary');
  const streamOffset = trailer.get('XRefStm');
  // In a hybrid file, entries of the table that are in use take precedence over the stream, and the stream takes
  // precedence over free entries (section 7.5.8.4).
  if (typeof streamOffset === 'number') readStream(new Parser(bytes, streamOffset), table);
  for (const number of free) table.add(number, FREE, 0, 0);
  return { trailer, isStream: false };
}

/** Reads the subsections of a table and the `trailer` keyword. Returns the numbers of the free entries. */
function readTable(parser: Parser, table: CrossReference): number[] {
  const free: number[] = [];
  for (;;) {
    if (parser.keyword('trailer')) return free;
    const first = parser.integer();
    const count = parser.integer();
    if (first === undefined || count === undefined || count > parser.bytes.length / 18) {
      throw new PdfDamage('a cross-reference table is damaged');
    }
    for (let index = 0; index < count; index += 1) {
      const offset = parser.integer();
      const generation = parser.integer();
      if (offset === undefined || generation === undefined) {
        throw new PdfDamage('a cross-reference table is cut off');
      }
      if (parser.keyword('n')) {
        // No object can be at offset 0, so such an entry is treated as free.
        if (offset > 0) table.add(first + index, IN_USE, offset, generation);
        else free.push(first + index);
      } else if (parser.keyword('f')) free.push(first + index);
      else throw new PdfDamage('a cross-reference entry is neither used nor free');
    }
  }
}

/** Reads a cross-reference stream (section 7.5.8). Returns its dictionary, which contains the trailer entries. */
function readStream(parser: Parser, table: CrossReference): PdfDictionary {
  const header =
    parser.integer() !== undefined && parser.integer() !== undefined && parser.keyword('obj');
  const trailer = header ? parser.value() : null;
  if (!isDictionary(trailer) || !isNamed(trailer.get('Type'), 'XRef')) {
    throw new PdfDamage('startxref does not point at a cross-reference section');
  }
  const stream = streamAt(parser, trailer, trailer.get('Length'));
  const data = decodedStream(UNRESOLVED, stream, MAX_STREAM_BYTES);
  const [kindBytes, offsetBytes, detailBytes] = fieldWidths(trailer);
  const length = kindBytes + offsetBytes + detailBytes;
  let at = 0;
  const field = (bytes: number) => {
    let value = 0;
    for (let count = 0; count < bytes; count += 1) value = value * 256 + (data[at++] as number);
    return value;
  };
  for (const { first, count } of subsections(trailer)) {
    for (let entry = 0; entry < count && at + length <= data.length; entry += 1) {
      const kind = kindBytes === 0 ? 1 : field(kindBytes);
      const offset = field(offsetBytes);
      const detail = field(detailBytes);
      if (kind === 1) table.add(first + entry, IN_USE, offset, detail);
      else if (kind === 2) table.add(first + entry, COMPRESSED, offset, detail);
      else if (kind === 0) table.add(first + entry, FREE, 0, 0);
    }
  }
  return trailer;
}

/** Returns the widths in bytes of the three fields of an entry. Throws PdfDamage. */
function fieldWidths(trailer: PdfDictionary): [kind: number, offset: number, detail: number] {
  const widths = trailer.get('W');
  if (!Array.isArray(widths) || widths.length < 3) throw new PdfDamage('W is missing');
  const [kind = 0, offset = 0, detail = 0] = widths.map((width) =>
    typeof width === 'number' && width >= 0 && width <= 8 ? width : Number.NaN,
  );
  if (!(kind + offset + detail > 0)) throw new PdfDamage('W is damaged');
  return [kind, offset, detail];
}

/** Yields the ranges of object numbers that the entries describe. Throws PdfDamage. */
function* subsections(trailer: PdfDictionary): Generator<{ first: number; count: number }> {
  const index = trailer.get('Index') ?? [0, trailer.get('Size') ?? 0];
  if (!Array.isArray(index)) throw new PdfDamage('Index is damaged');
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    const first = index[pair];
    const count = index[pair + 1];
    if (typeof first !== 'number' || typeof count !== 'number' || first < 0) {
      throw new PdfDamage('Index is damaged');
    }
    yield { first, count };
  }
}

/** Returns the stream that begins after its dictionary (section 7.3.8). Throws PdfDamage if the length is wrong. */
export function streamAt(
  parser: Parser,
  dictionary: PdfDictionary,
  length: PdfValue | undefined,
): PdfStream {
  if (!parser.keyword('stream')) throw new PdfDamage('a stream is missing');
  const { bytes } = parser;
  if (bytes[parser.position] === 13) parser.position += 1;
  if (bytes[parser.position] === 10) parser.position += 1;
  const start = parser.position;
  if (typeof length !== 'number' || length < 0 || start + length > bytes.length) {
    throw new PdfDamage('a stream has no valid length');
  }
  parser.position = start + length;
  if (!parser.keyword('endstream')) throw new PdfDamage('a stream has a wrong length');
  return new PdfStream(dictionary, bytes.subarray(start, start + length));
}
