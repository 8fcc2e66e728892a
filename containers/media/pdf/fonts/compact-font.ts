/** Reads and writes the parts of CFF fonts that are needed to select glyphs (Adobe Technical Note 5176). */
import { packed, viewOf } from './bytes-view.ts';
import { type CodeNames, ENCODINGS, STANDARD_STRINGS } from './glyph-names.ts';

/** The number of standard strings. The identifiers of a font's own strings begin at this number. */
export const FIRST_OWN_STRING = 391;
const MAX_GLYPHS = 65_535;
const ROS = 1230;
const CHARSET = 15;
const ENCODING = 16;
const CHAR_STRINGS = 17;

export interface CompactFont {
  glyphCount: number;
  /** Whether glyphs are identified by CIDs instead of names. */
  isCidKeyed: boolean;
  /** The name or CID of each glyph, by glyph number. */
  charset: (string | number)[];
  /** The glyph names of the built-in encoding by code, or undefined for CID-keyed fonts. */
  encoding: CodeNames | undefined;
}

/** Returns undefined if the font cannot be read. */
export function readCompactFont(bytes: Uint8Array): CompactFont | undefined {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function read(bytes: Uint8Array): CompactFont | undefined {
  const view = viewOf(bytes);
  if (view.getUint8(0) !== 1) return undefined;
  const names = readIndex(bytes, view.getUint8(2));
  const tops = readIndex(bytes, names.end);
  const strings = readIndex(bytes, tops.end);
  if (tops.items.length !== 1) return undefined;
  const top = readDict(tops.items[0]!);
  const charStrings = top.get(CHAR_STRINGS)?.[0];
  if (charStrings === undefined) return undefined;
  const glyphCount = view.getUint16(charStrings);
  const isCidKeyed = top.has(ROS);
  const identifiers = readCharset(view, top.get(CHARSET)?.[0] ?? 0, glyphCount, isCidKeyed);
  if (!identifiers) return undefined;
  if (isCidKeyed) return { glyphCount, isCidKeyed, charset: identifiers, encoding: undefined };
  const text = (identifier: number) => {
    const own = strings.items[identifier - FIRST_OWN_STRING];
    const name = own ? String.fromCharCode(...own) : STANDARD_STRINGS[identifier];
    if (name === undefined) throw new RangeError('a string does not name a glyph');
    return name;
  };
  const charset = identifiers.map(text);
  const encoding = readEncoding(view, top.get(ENCODING)?.[0] ?? 0, charset, text);
  return encoding && { glyphCount, isCidKeyed, charset, encoding };
}

function readIndex(bytes: Uint8Array, at: number): { items: Uint8Array[]; end: number } {
  const view = viewOf(bytes);
  const count = view.getUint16(at);
  if (count === 0) return { items: [], end: at + 2 };
  const size = view.getUint8(at + 2);
  const offset = (index: number) => {
    let value = 0;
    for (let byte = 0; byte < size; byte += 1) {
      value = value * 256 + view.getUint8(at + 3 + index * size + byte);
    }
    return value;
  };
  const start = at + 2 + (count + 1) * size;
  const items = Array.from({ length: count }, (_, index) =>
    bytes.subarray(start + offset(index), start + offset(index + 1)),
  );
  return { items, end: start + offset(count) };
}

/**
 * Returns the operands by operator. The key of a two-byte operator is 1200 plus its second byte. Real numbers are read
 * as 0.
 */
function readDict(bytes: Uint8Array): Map<number, number[]> {
  const view = viewOf(bytes);
  const entries = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const code = view.getUint8(at);
    at += 1;
    if (code <= 21) {
      const operator = code === 12 ? 1200 + view.getUint8(at++) : code;
      entries.set(operator, operands);
      operands = [];
    } else if (code === 28) {
      operands.push(view.getInt16(at));
      at += 2;
    } else if (code === 29) {
      operands.push(view.getInt32(at));
      at += 4;
    } else if (code === 30) {
      while ((view.getUint8(at) & 15) !== 15 && view.getUint8(at) >> 4 !== 15) at += 1;
      at += 1;
      operands.push(0);
    } else if (code <= 246) operands.push(code - 139);
    else if (code <= 250) operands.push((code - 247) * 256 + view.getUint8(at++) + 108);
    else operands.push(-(code - 251) * 256 - view.getUint8(at++) - 108);
  }
  return entries;
}

/**
 * Returns the string identifier or CID of each glyph. Returns undefined for the predefined charsets of expert fonts and
 * for an unknown format.
 */
function readCharset(
  view: DataView,
  offset: number,
  glyphCount: number,
  isCidKeyed: boolean,
): number[] | undefined {
  if (offset === 0 && !isCidKeyed) {
    return Array.from({ length: glyphCount }, (_, glyph) => glyph);
  }
  if (offset <= 2) return undefined;
  const identifiers = [0];
  const format = view.getUint8(offset);
  let at = offset + 1;
  if (format > 2) return undefined;
  while (identifiers.length < glyphCount) {
    const first = view.getUint16(at);
    at += 2;
    let left = 0;
    if (format > 0) {
      left = format === 1 ? view.getUint8(at) : view.getUint16(at);
      at += format;
    }
    for (let index = 0; index <= left && identifiers.length < glyphCount; index += 1) {
      identifiers.push(first + index);
    }
  }
  return identifiers;
}

function readEncoding(
  view: DataView,
  offset: number,
  charset: readonly string[],
  text: (identifier: number) => string,
): CodeNames | undefined {
  if (offset === 0) return ENCODINGS.StandardEncoding;
  if (offset === 1) return undefined;
  const names: (string | undefined)[] = new Array(256).fill(undefined);
  const format = view.getUint8(offset);
  const count = view.getUint8(offset + 1);
  let at = offset + 2;
  let glyph = 1;
  for (let index = 0; index < count; index += 1) {
    const first = view.getUint8(at);
    const left = (format & 127) === 1 ? view.getUint8(at + 1) : 0;
    at += (format & 127) === 1 ? 2 : 1;
    for (let step = 0; step <= left; step += 1) {
      names[first + step] = charset[glyph];
      glyph += 1;
    }
  }
  if (format & 128) {
    const supplements = view.getUint8(at);
    for (let index = 0; index < supplements; index += 1) {
      names[view.getUint8(at + 1 + index * 3)] = text(view.getUint16(at + 2 + index * 3));
    }
  }
  return names;
}

/** Returns an INDEX structure of the CFF format. Throws RangeError if there are too many items. */
export function writeIndex(items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return packed([2, 0]);
  if (items.length > MAX_GLYPHS) throw new RangeError('an INDEX has too many items');
  const total = items.reduce((sum, item) => sum + item.length, 1);
  const size = total < 0x100 ? 1 : total < 0x10000 ? 2 : total < 0x1000000 ? 3 : 4;
  const head = new Uint8Array(3 + (items.length + 1) * size);
  head.set(packed([2, items.length], [1, size]));
  let offset = 1;
  for (const [index, item] of [...items, undefined].entries()) {
    for (let byte = 0; byte < size; byte += 1) {
      head[3 + index * size + byte] = Math.floor(offset / 256 ** (size - 1 - byte));
    }
    offset += item?.length ?? 0;
  }
  return Buffer.concat([head, ...items]);
}
