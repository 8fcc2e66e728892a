/** Lists the parsers of embedded fonts, CMaps and color profiles, which compress_pdf needs. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { shownCids } from '../../containers/media/pdf/compress/code-map.ts';
import type { Draft } from '../../containers/media/pdf/compress/draft.ts';
import { compactProfile } from '../../containers/media/pdf/compress/icc-profile.ts';
import { readUnicodeMap } from '../../containers/media/pdf/compress/unicode-maps.ts';
import { writeUnicodeMap } from '../../containers/media/pdf/compress/write-unicode-map.ts';
import {
  readCharacterMaps,
  writeCharacterMaps,
} from '../../containers/media/pdf/fonts/character-map.ts';
import { charString } from '../../containers/media/pdf/fonts/charstring-writer.ts';
import { readCompactFont } from '../../containers/media/pdf/fonts/compact-font.ts';
import { wrapCompactFont } from '../../containers/media/pdf/fonts/open-type.ts';
import { readPostNames } from '../../containers/media/pdf/fonts/post-names.ts';
import { OPENTYPE_CFF, readTables, writeTables } from '../../containers/media/pdf/fonts/sfnt.ts';
import { subsetFont } from '../../containers/media/pdf/fonts/subset.ts';
import {
  LETTER,
  privatePart,
  TYPE1_CLEAR,
  TYPE1_PRIVATE,
  type1Font,
} from '../../containers/media/pdf/fonts/test-type1.ts';
import { readType1 } from '../../containers/media/pdf/fonts/type1-font.ts';
import { outlineOf } from '../../containers/media/pdf/fonts/type1-outline.ts';
import { compactType1 } from '../../containers/media/pdf/fonts/type1-to-cff.ts';
import { PdfStream, UNRESOLVED } from '../../containers/media/pdf/objects.ts';
import type { ParserTarget } from './parsers.ts';

const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
const OPTIONS = { glyphs: [0, 1, 36, 37], keepNames: true };

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const latin1 = (data: Uint8Array | undefined) => Buffer.from(data ?? []).toString('latin1');

/**
 * Reads and compacts a Type 1 font. In `text`, a form feed separates the clear-text part from the unencrypted private
 * part.
 */
function type1(text: string): unknown {
  const [clear = '', ...rest] = text.split('\f');
  const font = readType1(type1Font(clear, bytes(rest.join('\f'))));
  return font && compactType1(font, new Set(font.charStrings.keys()), 'F')?.length;
}

function type1Outline(text: string): unknown {
  const code = [...bytes(text)];
  const font = readType1(type1Font(TYPE1_CLEAR, privatePart({ A: code }, code)));
  return font && charString(outlineOf(font, 'A')).length;
}

function compactFont(text: string): unknown {
  const data = bytes(text);
  const font = readCompactFont(data);
  if (!font) return undefined;
  const wrapped = writeTables(OPENTYPE_CFF, wrapCompactFont(data, font.glyphCount));
  return [font.charset.length, subsetFont(wrapped, { ...OPTIONS, retainIds: false })?.length];
}

function trueType(text: string): unknown {
  const data = bytes(text);
  const tables = readTables(data);
  if (!tables) return undefined;
  const maps = readCharacterMaps(tables.get('cmap') ?? new Uint8Array());
  const names = readPostNames(tables.get('post')).size;
  const written = maps && writeCharacterMaps(maps, new Set(OPTIONS.glyphs)).length;
  return [maps?.length, names, written, subsetFont(data, { ...OPTIONS, retainIds: true })?.length];
}

function codeMap(text: string): unknown {
  const draft = UNRESOLVED as Draft;
  const font = { entries: new Map([['Encoding', new PdfStream(new Map(), bytes(text))]]) };
  const use = { font, codes: new Set([1, 40, 300]) } as unknown as Parameters<typeof shownCids>[1];
  return shownCids(draft, use)?.size;
}

function unicodeMap(text: string): unknown {
  const read = readUnicodeMap(bytes(text), new Set([1, 40, 300]));
  return read && writeUnicodeMap(read).length;
}

const pixel = { width: 1, height: 1, channels: 3 as const, background: 'red' };
const tagged = await sharp({ create: pixel }).withIccProfile('srgb').png().toBuffer();
const profile = (await sharp(tagged).metadata()).icc;
const sfnt = subsetFont(readFileSync(FONT), { ...OPTIONS, retainIds: false });
const map = writeCharacterMaps(
  [
    { platform: 1, encoding: 0, glyphs: new Map([[65, 1]]) },
    { platform: 3, encoding: 1, glyphs: new Map([[65, 1]]) },
    { platform: 3, encoding: 10, glyphs: new Map([[0x1f600, 36]]) },
  ],
  new Set(OPTIONS.glyphs),
);
const tables = sfnt && readTables(sfnt)?.set('cmap', map);
const made = readType1(type1Font(TYPE1_CLEAR, TYPE1_PRIVATE));

export const FONT_PARSERS: Record<string, ParserTarget> = {
  'font-type1': {
    seeds: [`${TYPE1_CLEAR}\f${latin1(TYPE1_PRIVATE)}`],
    pieces: [
      '/FontMatrix [',
      '/Subrs ',
      'dup 1 9 RD ',
      '/CharStrings 4 dict ',
      '/lenIV 0 ',
      '/A 9 RD ',
    ],
    parse: type1,
  },
  'font-outline': {
    seeds: [latin1(Uint8Array.from(LETTER))],
    pieces: ['\x0a', '\x0c\x10', '\x0c\x21', '\x0c\x06', '\x0c\x0c', '\x0d', '\x0e', '\x8b'],
    parse: type1Outline,
    refuses: ['RangeError'],
  },
  'font-cff': {
    seeds: [latin1(made && compactType1(made, new Set(['A', 'omega']), 'F'))],
    pieces: ['\0\x01\x01\x01', '\xff\xff', '\x0f', '\x10', '\x11', '\x0c\x1e', '\x1c'],
    parse: compactFont,
  },
  'font-sfnt': {
    seeds: tables ? [latin1(writeTables(0x00010000, tables))] : [],
    pieces: ['cmap', 'glyf', 'loca', 'post', '\0\x04', '\0\x0c', '\0\x06', '\xff\xff'],
    parse: trueType,
  },
  'font-cmap': {
    seeds: [
      '1 begincodespacerange <0000> <ffff> endcodespacerange\n2 begincidrange\n<0000> <00ff> 0\n<0100> <0200> 7\nendcidrange\n1 begincidchar\n<41> 5\nendcidchar',
      `begincidrange\n${'<0000> <ffff> 0\n'.repeat(4000)}endcidrange`,
    ],
    pieces: [
      'begincidrange',
      'endcidrange',
      'begincidchar',
      '<0000> <ffff> 0\n',
      '<',
      '> ',
      'usecmap',
    ],
    parse: codeMap,
  },
  'font-unicode-map': {
    seeds: [
      '1 begincodespacerange <0000> <ffff> endcodespacerange\n2 beginbfrange\n<0000> <00ff> <0041>\n<0100> <0200> [<0042> <0043>]\nendbfrange\n1 beginbfchar\n<28> <d83dde00>\nendbfchar',
      `<00> <ff> endcodespacerange ${'<0000> <ffff> <0000>\n'.repeat(4000)}endbfrange`,
    ],
    pieces: ['endbfrange', 'endbfchar', '<0000> <ffff> <0000>\n', '<', '> ', '[', ']', 'usecmap'],
    parse: unicodeMap,
    refuses: ['PdfDamage'],
  },
  'icc-profile': {
    seeds: [latin1(profile)],
    pieces: ['rTRC', 'A2B0', 'curv', '\0\0\0\x09', '\xff\xff', '\0\0\x04\0'],
    parse: (text) => compactProfile(bytes(text)).length,
    refuses: ['RangeError'],
  },
};
