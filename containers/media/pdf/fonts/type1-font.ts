/** Reads Type 1 fonts as PDF embeds them (Adobe Type 1 Font Format, chapters 2, 7 and 10). */
import { type CodeNames, ENCODINGS } from './glyph-names.ts';

const EEXEC_KEY = 55_665;
const CHARSTRING_KEY = 4330;
const EEXEC_RANDOM_BYTES = 4;
const USUAL_RANDOM_BYTES = 4;
const MAX_ENTRIES = 65_535;

export interface Type1Font {
  matrix: number[];
  box: number[];
  /** The glyph names of the built-in encoding by code. */
  encoding: CodeNames;
  isStandardEncoding: boolean;
  /** The numbers in the private dictionary, by key. */
  hints: Map<string, number[]>;
  subroutines: Map<number, Uint8Array>;
  /** The charstrings by glyph name. */
  charStrings: Map<string, Uint8Array>;
}

/**
 * Returns undefined for other data and for unsupported fonts: multiple masters, stroked outlines, and fonts with other
 * encryption.
 */
export function readType1(bytes: Uint8Array): Type1Font | undefined {
  const text = latin1(bytes);
  const mark = text.indexOf('eexec');
  if (!text.startsWith('%!') || mark < 0) return undefined;
  const clear = text.slice(0, mark);
  if (/\/WeightVector\b/.test(clear) || /\/PaintType\s+[12]/.test(clear)) return undefined;
  const hidden = decrypted(encryptedPart(bytes, text, mark + 5), EEXEC_KEY, EEXEC_RANDOM_BYTES);
  const inner = latin1(hidden);
  const random = Number(/\/lenIV\s+(-?\d+)/.exec(inner)?.[1] ?? USUAL_RANDOM_BYTES);
  const plain = (from: number, length: number) => {
    const data = hidden.subarray(from, from + length);
    return random < 0 ? data : decrypted(data, CHARSTRING_KEY, random);
  };
  const glyphsAt = inner.search(/\/CharStrings\s+\d+\s+dict\b/);
  if (glyphsAt < 0) return undefined;
  const subroutinesAt = inner.lastIndexOf('/Subrs', glyphsAt);
  const subroutines = new Map<number, Uint8Array>();
  if (subroutinesAt >= 0) {
    const entries = entriesAt(inner, subroutinesAt, /dup\s+(\d+)\s+(\d+)\s+\S+ /g);
    for (const { key, at, length } of entries) {
      if (at > glyphsAt) break;
      subroutines.set(Number(key), plain(at, length));
    }
  }
  const charStrings = new Map<string, Uint8Array>();
  for (const { key, at, length } of entriesAt(
    inner,
    glyphsAt + 12,
    /\/([^\s/]{1,127})\s+(\d+)\s+\S{1,20} /g,
  )) {
    charStrings.set(key, plain(at, length));
  }
  if (charStrings.size === 0) return undefined;
  const isStandardEncoding = /\/Encoding\s+StandardEncoding\s+def/.test(clear);
  return {
    matrix: numbersOf(clear, 'FontMatrix') ?? [0.001, 0, 0, 0.001, 0, 0],
    box: numbersOf(clear, 'FontBBox') ?? [0, 0, 0, 0],
    encoding: isStandardEncoding ? ENCODINGS.StandardEncoding! : builtInEncoding(clear),
    isStandardEncoding,
    hints: hintsOf(inner),
    subroutines,
    charStrings,
  };
}

const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** Returns the encrypted part as bytes. The file contains it in binary or hexadecimal form. */
function encryptedPart(bytes: Uint8Array, text: string, after: number): Uint8Array {
  let start = after;
  while (/[ \t\r\n]/.test(text[start] ?? '.')) start += 1;
  if (!/^[0-9a-f\s]{8}/i.test(text.slice(start, start + 8))) return bytes.subarray(start);
  return Buffer.from(text.slice(start).replace(/\s+/g, ''), 'hex');
}

/** Decrypts eexec data and charstrings (section 7.1). */
function decrypted(data: Uint8Array, key: number, randomBytes: number): Uint8Array {
  const result = new Uint8Array(data.length);
  let state = key;
  for (const [index, cipher] of data.entries()) {
    result[index] = cipher ^ (state >> 8);
    state = ((cipher + state) * 52_845 + 22_719) & 0xffff;
  }
  return result.subarray(randomBytes);
}

/**
 * Yields entries with binary data. An entry consists of its key and length, a word such as `RD`, one space, and the
 * data.
 */
function* entriesAt(
  text: string,
  start: number,
  pattern: RegExp,
): Generator<{ key: string; at: number; length: number }> {
  pattern.lastIndex = start;
  let end = -1;
  for (let count = 0; count < MAX_ENTRIES; count += 1) {
    const match = pattern.exec(text);
    // Between two entries, there are only words such as `NP`, `noaccess put` or `ND`, so a longer gap ends the list.
    if (!match || (end >= 0 && match.index - end > 40)) return;
    const length = Number(match[2]);
    yield { key: match[1]!, at: pattern.lastIndex, length };
    end = pattern.lastIndex + length;
    pattern.lastIndex = end;
  }
}

function numbersOf(text: string, key: string): number[] | undefined {
  const [, list] = new RegExp(`/${key}\\s*[[{]([^\\]}]*)[\\]}]`).exec(text) ?? [];
  const numbers = list?.trim().split(/\s+/).map(Number);
  return numbers?.every(Number.isFinite) ? numbers : undefined;
}

function builtInEncoding(text: string): CodeNames {
  const names: (string | undefined)[] = new Array(256).fill(undefined);
  for (const [, code, name] of text.matchAll(/dup\s+(\d{1,3})\s*\/(\S+)\s+put/g)) {
    if (name !== '.notdef') names[Number(code)] = name;
  }
  return names;
}

const HINT_LISTS =
  'BlueValues OtherBlues FamilyBlues FamilyOtherBlues StdHW StdVW StemSnapH StemSnapV'.split(' ');
const HINT_NUMBERS = ['BlueScale', 'BlueShift', 'BlueFuzz', 'LanguageGroup'];

function hintsOf(text: string): Map<string, number[]> {
  const hints = new Map<string, number[]>();
  for (const key of HINT_LISTS) {
    const numbers = numbersOf(text, key);
    if (numbers && numbers.length > 0) hints.set(key, numbers);
  }
  for (const key of HINT_NUMBERS) {
    const value = Number(new RegExp(`/${key}\\s+([-\\d.]+)`).exec(text)?.[1] ?? Number.NaN);
    if (Number.isFinite(value)) hints.set(key, [value]);
  }
  if (/\/ForceBold\s+true/.test(text)) hints.set('ForceBold', [1]);
  return hints;
}
