/** Reduces a font file to the glyphs that the document uses. */
import { readCharacterMaps, writeCharacterMaps } from '../fonts/character-map.ts';
import { type CompactFont, readCompactFont } from '../fonts/compact-font.ts';
import { wrapCompactFont } from '../fonts/open-type.ts';
import { readPostNames } from '../fonts/post-names.ts';
import { OPENTYPE_CFF, readTables, type Tables, TRUETYPE, writeTables } from '../fonts/sfnt.ts';
import { subsetFont } from '../fonts/subset.ts';
import { readType1 } from '../fonts/type1-font.ts';
import { compactType1 } from '../fonts/type1-to-cff.ts';
import { shownCids } from './code-map.ts';
import type { Draft } from './draft.ts';
import type { FontUse } from './font-files.ts';
import { cidMapOf, glyphOfCid, glyphsOfSimple, shownNames } from './needed-glyphs.ts';

export interface CompactFile {
  data: Uint8Array;
  /** The font descriptor key under which the file is stored. */
  key: 'FontFile2' | 'FontFile3';
  /** The Subtype of the stream, for FontFile3. */
  subtype: string | undefined;
}

/** The first byte of Type 1 fonts, which begin with `%!`. */
const TYPE1_MARK = 0x25;
const isOfComposite = ({ descendant }: FontUse) => descendant !== undefined;
const GLYF_TABLES = ['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'cvt ', 'fpgm', 'prep'];

/** Returns undefined if the file cannot be reduced. */
export function compactFile(
  draft: Draft,
  data: Uint8Array,
  uses: readonly FontUse[],
): CompactFile | undefined {
  const tables = readTables(data);
  const compact = tables ? tables.get('CFF ') : data;
  if (tables && !compact) return compactTrueType(draft, tables, uses);
  const isComposite = uses[0] !== undefined && isOfComposite(uses[0]);
  if (uses.some((use) => isOfComposite(use) !== isComposite)) return undefined;
  if (data[0] === TYPE1_MARK) return isComposite ? undefined : compactFromType1(draft, data, uses);
  const font = compact && readCompactFont(compact);
  if (!font) return undefined;
  return compactCff(draft, { data: compact, font, isOpenType: tables !== undefined }, uses);
}

function compactFromType1(
  draft: Draft,
  data: Uint8Array,
  uses: readonly FontUse[],
): CompactFile | undefined {
  const font = readType1(data);
  if (!font) return undefined;
  const names = new Set<string>();
  for (const use of uses) {
    const shown = shownNames(draft, use, font.encoding);
    if (!shown) return undefined;
    for (const name of shown) names.add(name);
  }
  const written = compactType1(font, names, 'F');
  return written && { data: written, key: 'FontFile3', subtype: 'Type1C' };
}

function compactTrueType(
  draft: Draft,
  tables: Tables,
  uses: readonly FontUse[],
): CompactFile | undefined {
  if (!tables.has('glyf')) return undefined;
  const isComposite = uses.every(isOfComposite);
  const table = tables.get('cmap');
  const maps = isComposite || !table ? [] : readCharacterMaps(table);
  if (!maps) return undefined;
  const lookup = { maps, postNames: readPostNames(tables.get('post')) };
  const glyphs = new Set([0]);
  for (const use of uses) {
    const needed = isOfComposite(use)
      ? glyphsOfComposite(draft, use)
      : glyphsOfSimple(draft, use, lookup);
    if (!needed) return undefined;
    for (const glyph of needed) glyphs.add(glyph);
  }
  const keepNames = !isComposite && lookup.postNames.size > 0 && !hasOnlyMaps(draft, uses);
  const neededTables = new Map(
    [...tables].filter(([tag]) => GLYF_TABLES.includes(tag) || tag === 'post'),
  );
  const subset = subsetFont(writeTables(TRUETYPE, neededTables), {
    glyphs,
    retainIds: true,
    keepNames,
  });
  const written = subset && readTables(subset);
  if (!written || !['glyf', 'head', 'hmtx', 'loca', 'maxp'].every((tag) => written.has(tag))) {
    return undefined;
  }
  if (!keepNames) written.delete('post');
  if (!isComposite && table) written.set('cmap', writeCharacterMaps(maps, glyphs));
  return { data: writeTables(TRUETYPE, written), key: 'FontFile2', subtype: undefined };
}

/** Whether no simple font has an Encoding dictionary. Readers may look up glyphs by the names in such a dictionary. */
const hasOnlyMaps = (draft: Draft, uses: readonly FontUse[]) =>
  uses.every(
    ({ font, descendant }) =>
      descendant || !(draft.resolve(font.entries.get('Encoding')) instanceof Map),
  );

function glyphsOfComposite(draft: Draft, use: FontUse): Set<number> | undefined {
  const map = cidMapOf(draft, use);
  const cids = shownCids(draft, use);
  if (map === null || !cids) return undefined;
  return new Set([...cids].map((cid) => glyphOfCid(map, cid)));
}

function compactCff(
  draft: Draft,
  { data, font, isOpenType }: { data: Uint8Array; font: CompactFont; isOpenType: boolean },
  uses: readonly FontUse[],
): CompactFile | undefined {
  const isComposite = uses.every(isOfComposite);
  // For OpenType fonts, some readers apply the map from CIDs to glyphs, and others do not. The new font must therefore
  // be OpenType too, and contain the glyphs for both interpretations.
  const isMapped = isComposite && uses.some((use) => cidMapOf(draft, use) !== undefined);
  if (isMapped && !(isOpenType && !font.isCidKeyed)) return undefined;
  if (!isComposite && font.isCidKeyed) return undefined;
  const byGlyph = new Map(font.charset.map((item, glyph) => [item, glyph]));
  const glyphs = new Set([0]);
  const wanted: (string | number)[] = [];
  for (const use of uses) {
    const shown = isComposite ? shownCids(draft, use) : shownNames(draft, use, font.encoding ?? []);
    if (!shown) return undefined;
    const map = isMapped ? cidMapOf(draft, use) : undefined;
    if (map === null) return undefined;
    for (const item of shown) {
      const glyph = isComposite && !font.isCidKeyed ? Number(item) : byGlyph.get(item);
      if (glyph === undefined || glyph >= font.glyphCount) continue;
      glyphs.add(glyph);
      if (map) glyphs.add(glyphOfCid(map, glyph));
      wanted.push(item);
    }
  }
  const retainIds = isComposite && !font.isCidKeyed;
  const wrapped = writeTables(OPENTYPE_CFF, wrapCompactFont(data, font.glyphCount));
  const subset = subsetFont(wrapped, { glyphs, retainIds, keepNames: !isComposite });
  const written = subset && readTables(subset)?.get('CFF ');
  if (!written || !keeps(font, readCompactFont(written), wanted, isComposite)) return undefined;
  if (isMapped) return { data: subset, key: 'FontFile3', subtype: 'OpenType' };
  return {
    data: written.slice(),
    key: 'FontFile3',
    subtype: isComposite ? 'CIDFontType0C' : 'Type1C',
  };
}

/** Whether the new font has the needed glyphs with the same names or CIDs, and encodes them in the same way. */
function keeps(
  before: CompactFont,
  after: CompactFont | undefined,
  wanted: readonly (string | number)[],
  isComposite: boolean,
): boolean {
  if (!after || after.isCidKeyed !== before.isCidKeyed) return false;
  if (isComposite && !before.isCidKeyed) {
    return wanted.every((glyph) => Number(glyph) < after.glyphCount);
  }
  const present = new Set(after.charset);
  if (!wanted.every((item) => present.has(item))) return false;
  const names = new Set(wanted);
  return (before.encoding ?? []).every(
    (name, code) => name === undefined || !names.has(name) || after.encoding?.[code] === name,
  );
}
