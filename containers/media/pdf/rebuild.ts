/**
 * Prepares a file without a cross-reference table for programs that rebuild the table by scanning for objects. Adds a
 * trailer, and extracts the objects in object streams, which such programs would not find.
 */

import { objectHeads } from './document.ts';
import {
  isDictionary,
  isNamed,
  type PdfDictionary,
  PdfStream,
  type PdfValue,
  UNRESOLVED,
  unlessDamaged,
} from './objects.ts';
import { Parser } from './parser.ts';
import { asciiBytes } from './serialize.ts';
import { decodedData } from './stream-data.ts';

const INFLATE_BUDGET = 128 * 1024 * 1024;
const MAX_OBJECTS = 500_000;
const LATIN_1 = new TextDecoder('latin1');
interface Found {
  number: number;
  generation: number;
  /** The byte offset after `obj`. */
  offset: number;
  /** The offset of the next object. Each byte belongs to only one object, so the parsing time is linear. */
  end: number;
}

/**
 * Returns the bytes to append to the file. Returns undefined if the file has no catalog or too many objects, or is
 * encrypted, because nothing can be decrypted without the original trailer.
 */
export function rebuiltTail(bytes: Uint8Array): Uint8Array[] | undefined {
  const text = LATIN_1.decode(bytes);
  if (/\/Filter\s{0,20}\/Standard\b/.test(text)) return undefined;
  const newest = new Map<number, Found>();
  const containers: Found[] = [];
  let last: Found | undefined;
  for (const match of text.matchAll(/(\d{1,10})\s{1,20}(\d{1,5})\s{1,20}obj\b/g)) {
    if (last) last.end = match.index;
    const offset = match.index + match[0].length;
    const [number, generation] = [Number(match[1]), Number(match[2])];
    const found = { number, generation, offset, end: bytes.length };
    last = found;
    newest.set(number, found);
    if (/^\s*<<[^>]*\/ObjStm\b/.test(text.slice(offset, offset + 400))) containers.push(found);
    if (newest.size > MAX_OBJECTS) return undefined;
  }
  let root: string | undefined;
  for (const found of newest.values()) {
    if (isCatalog(parsed(bytes.subarray(found.offset, found.end))))
      root = `${found.number} ${found.generation} R`;
  }
  const tail: Uint8Array[] = [];
  let budget = INFLATE_BUDGET;
  for (const container of containers) {
    const data = contentOf(bytes.subarray(container.offset, container.end), budget);
    if (!data) continue;
    budget -= data.bytes.length;
    for (const object of data.objects) {
      // An object outside object streams that comes later in the file is a newer version.
      if ((newest.get(object.number)?.offset ?? 0) > container.offset) continue;
      tail.push(asciiBytes(`\n${object.number} 0 obj\n`), object.bytes, asciiBytes('\nendobj'));
      if (isCatalog(parsed(object.bytes))) root = `${object.number} 0 R`;
    }
  }
  if (!root) return undefined;
  tail.push(asciiBytes(`\ntrailer\n<</Size 1/Root ${root}>>\nstartxref\n0\n%%EOF\n`));
  return tail;
}

function parsed(bytes: Uint8Array): PdfValue {
  return unlessDamaged(() => new Parser(bytes, 0).value()) ?? null;
}

const isCatalog = (value: PdfValue): value is PdfDictionary =>
  isDictionary(value) && isNamed(value.get('Type'), 'Catalog') && value.has('Pages');

interface Content {
  bytes: Uint8Array;
  objects: { number: number; bytes: Uint8Array }[];
}

/** Returns the content of an object stream. `object` contains the bytes from its dictionary to the next object. */
function contentOf(object: Uint8Array, budget: number): Content | undefined {
  const parser = new Parser(object, 0);
  const dictionary = unlessDamaged(() => parser.value());
  if (!isDictionary(dictionary) || !parser.keyword('stream')) return undefined;
  const text = LATIN_1.decode(object);
  const start = parser.position + (text.startsWith('\r\n', parser.position) ? 2 : 1);
  const end = text.indexOf('endstream', start);
  const stream = new PdfStream(dictionary, object.subarray(start, end < 0 ? object.length : end));
  const data = decodedData(UNRESOLVED, stream, budget);
  return data && split(data, dictionary);
}

function split(bytes: Uint8Array, dictionary: PdfDictionary): Content | undefined {
  const count = dictionary.get('N');
  const first = dictionary.get('First');
  if (typeof count !== 'number' || typeof first !== 'number') return undefined;
  const heads = objectHeads(bytes, Math.min(count, MAX_OBJECTS));
  const objects: Content['objects'] = [];
  let end = bytes.length;
  // Overlapping objects are omitted, because their bytes could multiply the size of the file.
  for (const [number, offset] of heads.reverse()) {
    const start = first + offset;
    if (start >= end) continue;
    objects.push({ number, bytes: bytes.subarray(start, end) });
    end = start;
  }
  return { bytes, objects: objects.reverse() };
}
