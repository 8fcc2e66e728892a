/** Converts a Type 1 font to a CFF font with a subset of its glyphs (Adobe Technical Note 5176). */
import { packed } from './bytes-view.ts';
import { charString, integerBytes } from './charstring-writer.ts';
import { FIRST_OWN_STRING, writeIndex } from './compact-font.ts';
import { STANDARD_STRINGS } from './glyph-names.ts';
import type { Type1Font } from './type1-font.ts';
import { outlineOf } from './type1-outline.ts';

const NOTDEF = '.notdef';
const USUAL_MATRIX = [0.001, 0, 0, 0.001, 0, 0];
const STANDARD_IDS = new Map(STANDARD_STRINGS.map((name, index) => [name, index]));
/** The CFF operators for keys of the Type 1 private dictionary. Lists are encoded as differences. */
const PRIVATE: Readonly<Record<string, { operator: readonly number[]; isList?: true }>> = {
  BlueValues: { operator: [6], isList: true },
  OtherBlues: { operator: [7], isList: true },
  FamilyBlues: { operator: [8], isList: true },
  FamilyOtherBlues: { operator: [9], isList: true },
  BlueScale: { operator: [12, 9] },
  BlueShift: { operator: [12, 10] },
  BlueFuzz: { operator: [12, 11] },
  StdHW: { operator: [10] },
  StdVW: { operator: [11] },
  StemSnapH: { operator: [12, 12], isList: true },
  StemSnapV: { operator: [12, 13], isList: true },
  ForceBold: { operator: [12, 14] },
  LanguageGroup: { operator: [12, 17] },
};

/**
 * Converts the named glyphs. Names that the font lacks are ignored. Returns undefined if a glyph cannot be converted.
 */
export function compactType1(
  font: Type1Font,
  names: ReadonlySet<string>,
  fontName: string,
): Uint8Array | undefined {
  try {
    return write(font, names, fontName);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function write(font: Type1Font, names: ReadonlySet<string>, fontName: string): Uint8Array {
  const codes = new Map<string, number[]>();
  for (const [code, name] of font.encoding.entries()) {
    if (name && names.has(name)) codes.set(name, [...(codes.get(name) ?? []), code]);
  }
  const present = [...names].filter((name) => name !== NOTDEF && font.charStrings.has(name));
  // The encoding applies to the first glyphs, so glyphs with a code are written first.
  const ordered = [
    ...present.filter((name) => codes.has(name)),
    ...present.filter((name) => !codes.has(name)),
  ];
  const strings: string[] = [];
  const idOf = (name: string) => {
    const known = STANDARD_IDS.get(name);
    if (known !== undefined) return known;
    const index = strings.indexOf(name);
    if (index >= 0) return FIRST_OWN_STRING + index;
    strings.push(name);
    return FIRST_OWN_STRING + strings.length - 1;
  };
  const ids = ordered.map(idOf);
  const charStrings = writeIndex(
    [NOTDEF, ...ordered].map((name) =>
      font.charStrings.has(name) ? charString(outlineOf(font, name)) : Uint8Array.of(14),
    ),
  );
  const charset = Buffer.concat([packed([1, 0]), ...ids.map((id) => packed([2, id]))]);
  const encoding = font.isStandardEncoding ? undefined : encodingOf(ordered, codes, idOf);
  const secret = privateDict(font);
  const text = (value: string) => Uint8Array.from(value, (character) => character.charCodeAt(0));
  const head = [packed([1, 1], [1, 0], [1, 4], [1, 4]), writeIndex([text(fontName)])];
  const tail = [writeIndex(strings.map(text)), writeIndex([])];
  const top = (offsets: readonly number[]) =>
    writeIndex([topDict(font, encoding !== undefined, secret.length, offsets)]);
  // Offsets have a fixed length, so a first pass with zeros determines all positions.
  let at = lengthOf([...head, top([0, 0, 0, 0]), ...tail]);
  const bodies = [encoding ?? new Uint8Array(), charset, charStrings, secret];
  const offsets = bodies.map((body) => {
    at += body.length;
    return at - body.length;
  });
  return Buffer.concat([...head, top(offsets), ...tail, ...bodies]);
}

const lengthOf = (pieces: readonly Uint8Array[]) =>
  pieces.reduce((sum, piece) => sum + piece.length, 0);

/** Returns an encoding of format 0. If a glyph has several codes, the additional ones are supplements. */
function encodingOf(
  ordered: readonly string[],
  codes: ReadonlyMap<string, number[]>,
  idOf: (name: string) => number,
): Uint8Array {
  const encoded = ordered.filter((name) => codes.has(name));
  const more = encoded.flatMap((name) =>
    (codes.get(name) ?? []).slice(1).map((code) => [code, idOf(name)] as const),
  );
  const pieces = [
    packed([1, more.length > 0 ? 128 : 0], [1, encoded.length]),
    ...encoded.map((name) => packed([1, codes.get(name)![0]!])),
  ];
  if (more.length > 0) {
    pieces.push(packed([1, more.length]), ...more.map(([code, id]) => packed([1, code], [2, id])));
  }
  return Buffer.concat(pieces);
}

/** The last parameter contains the offsets of the encoding, charset, charstrings and private dictionary. */
function topDict(
  { matrix, box }: Type1Font,
  hasEncoding: boolean,
  privateLength: number,
  [encoding = 0, charset = 0, charStrings = 0, secret = 0]: readonly number[],
): Uint8Array {
  const isUsual = matrix.every((value, index) => value === USUAL_MATRIX[index]);
  return Uint8Array.from([
    ...box.flatMap(dictNumber),
    5,
    ...(isUsual ? [] : [...matrix.flatMap(dictNumber), 12, 7]),
    ...(hasEncoding ? [...fixedInteger(encoding), 16] : []),
    ...fixedInteger(charset),
    15,
    ...fixedInteger(charStrings),
    17,
    ...fixedInteger(privateLength),
    ...fixedInteger(secret),
    18,
  ]);
}

function privateDict({ hints }: Type1Font): Uint8Array {
  const bytes: number[] = [];
  for (const [key, values] of hints) {
    const entry = PRIVATE[key];
    if (!entry) continue;
    let before = 0;
    for (const value of values) {
      bytes.push(...dictNumber(entry.isList ? value - before : value));
      before = value;
    }
    bytes.push(...entry.operator);
  }
  return Uint8Array.from(bytes);
}

const fixedInteger = (value: number) => [29, ...packed([4, value])];

/** Encodes a number. Reals are encoded as decimal digits (Technical Note 5176, section 4). */
function dictNumber(value: number): number[] {
  // FreeType reads negative numbers in the five-byte form as positive numbers.
  if (Number.isInteger(value)) return integerBytes(value);
  const digits = value
    .toString()
    .replace(/^(-?)0\./, '$1.')
    .replace('e-', 'c')
    .replace('e+', 'b')
    .replace('.', 'a')
    .replace('-', 'e');
  const nibbles = `${digits}f`;
  const even = nibbles.length % 2 === 0 ? nibbles : `${nibbles}f`;
  return [30, ...Buffer.from(even, 'hex')];
}
