/**
 * Finds the glyphs that an embedded font must contain. Readers look up glyphs in different ways, all of which are
 * considered (sections 9.6.6 and 9.7.4).
 */
import type { CharacterMap } from '../fonts/character-map.ts';
import { type CodeNames, ENCODINGS, unicodesOf } from '../fonts/glyph-names.ts';
import { isNamed, PdfName, PdfStream } from '../objects.ts';
import { decodedData } from '../stream-data.ts';
import type { Draft } from './draft.ts';
import type { FontUse } from './font-files.ts';

const MAX_MAP_BYTES = 128 * 1024;
/** The first codes of the ranges that symbolic fonts use for their glyphs. */
const SYMBOL_PAGES = [0xf000, 0xf100, 0xf200];

/** Returns the glyph name of each code of a simple font, or undefined if the encoding is unknown. */
export function namesOf(
  draft: Draft,
  { font }: FontUse,
  builtIn: CodeNames,
): CodeNames | undefined {
  const encoding = draft.resolve(font.entries.get('Encoding'));
  if (encoding === null) return builtIn;
  if (encoding instanceof PdfName) return ENCODINGS[encoding.value];
  const entries = draft.dictionary(encoding);
  if (!entries) return undefined;
  const base = draft.resolve(entries.get('BaseEncoding'));
  const start = base instanceof PdfName ? ENCODINGS[base.value] : builtIn;
  if (!start) return undefined;
  const names = [...start];
  let code = 0;
  for (const item of draft.array(entries.get('Differences')) ?? []) {
    const value = draft.resolve(item);
    if (typeof value === 'number') code = value;
    else if (value instanceof PdfName) {
      names[code] = value.value;
      code += 1;
    }
  }
  return names;
}

/** Returns the glyph names of all codes that the content shows in a simple font, or undefined if they are unknown. */
export function shownNames(
  draft: Draft,
  use: FontUse,
  builtIn: CodeNames,
): Set<string> | undefined {
  const names = namesOf(draft, use, builtIn);
  if (!names) return undefined;
  const shown = new Set<string>();
  for (const code of use.codes) {
    const name = names[code];
    if (name) shown.add(name);
  }
  return shown;
}

/** The tables of a TrueType font in which readers look up the glyphs of simple fonts. */
export interface GlyphLookup {
  maps: readonly CharacterMap[];
  postNames: ReadonlyMap<string, number>;
}

const MAC_CODES = new Map(ENCODINGS.MacRomanEncoding!.map((name, code) => [name, code]));

/**
 * Returns the glyphs that readers may choose for the codes of a simple TrueType font. Readers look up a glyph by its
 * code, by the Unicode or Macintosh code of its name, or by the name itself. Returns undefined if a name is unknown.
 */
export function glyphsOfSimple(
  draft: Draft,
  use: FontUse,
  { maps, postNames }: GlyphLookup,
): Set<number> | undefined {
  const glyphs = new Set<number>();
  const named = namesOf(draft, use, ENCODINGS.StandardEncoding!);
  if (!named) return undefined;
  const lookUp = (code: number, isWanted: (map: CharacterMap) => boolean = () => true) => {
    let found = false;
    for (const map of maps) {
      const glyph = isWanted(map) ? map.glyphs.get(code) : undefined;
      if (glyph !== undefined) glyphs.add(glyph);
      found ||= glyph !== undefined;
    }
    return found;
  };
  const isMacintosh = ({ platform }: CharacterMap) => platform === 1;
  const hasEncoding = draft.resolve(use.font.entries.get('Encoding')) !== null;
  for (const code of use.codes) {
    if (maps.length === 0) glyphs.add(code);
    let found = lookUp(code);
    for (const page of SYMBOL_PAGES) found = lookUp(page + code) || found;
    const names = new Set([named, ENCODINGS.WinAnsiEncoding!].map((encoding) => encoding[code]));
    for (const name of names) {
      if (!name || name === '.notdef') continue;
      const unicodes = unicodesOf(name);
      const macintosh = MAC_CODES.get(name);
      for (const unicode of unicodes) found = lookUp(unicode) || found;
      if (macintosh !== undefined) found = lookUp(macintosh, isMacintosh) || found;
      const glyph = postNames.get(name);
      if (glyph !== undefined) glyphs.add(glyph);
      const isUnknown = unicodes.length === 0 && glyph === undefined;
      if (isUnknown && hasEncoding && name === named[code]) return undefined;
    }
  }
  return glyphs;
}

/**
 * Returns the map from CIDs to glyphs, with two bytes per CID. Returns undefined if each CID is a glyph number, and
 * null if the map cannot be read.
 */
export function cidMapOf(draft: Draft, { descendant }: FontUse): Uint8Array | undefined | null {
  const map = draft.resolve(descendant?.entries.get('CIDToGIDMap'));
  if (map === null || isNamed(map, 'Identity')) return undefined;
  if (!(map instanceof PdfStream)) return null;
  return decodedData(draft, map, MAX_MAP_BYTES) ?? null;
}

export const glyphOfCid = (map: Uint8Array | undefined, cid: number): number =>
  map ? (map[cid * 2] ?? 0) * 256 + (map[cid * 2 + 1] ?? 0) : cid;
