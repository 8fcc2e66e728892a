import { describe, expect, it } from 'vitest';
import { readCharacterMaps, writeCharacterMaps } from './character-map.ts';
import { readCompactFont } from './compact-font.ts';
import { ENCODINGS, STANDARD_STRINGS, unicodesOf } from './glyph-names.ts';
import { readTables, TRUETYPE, writeTables } from './sfnt.ts';
import { subsetFont } from './subset.ts';
import { readType1 } from './type1-font.ts';
import { outlineOf } from './type1-outline.ts';
import { compactType1 } from './type1-to-cff.ts';

/** Section 7.1 of the Type 1 format: encrypts for eexec and charstrings. */
function encrypted(plain: readonly number[], key: number): Buffer {
  let state = key;
  return Buffer.from(
    [0, 0, 0, 0, ...plain].map((byte) => {
      const cipher = byte ^ (state >> 8);
      state = ((cipher + state) * 52_845 + 22_719) & 0xffff;
      return cipher;
    }),
  );
}

const number = (value: number) => [
  255,
  (value >> 24) & 255,
  (value >> 16) & 255,
  (value >> 8) & 255,
  value & 255,
];
/** hsbw with a sidebearing of 40 and this width, a stem, a move, a line, a curve by a subroutine, endchar. */
const letter = (width: number) => [
  ...[...number(40), ...number(width), 13],
  ...[...number(0), ...number(30), 1],
  ...[...number(10), ...number(-250), 21],
  ...[...number(100), 6],
  ...[...number(0), 10, 9, 14],
];
const CURVE = [...[0, 10, 20, 30, 40, 50].flatMap(number), 8, 11];

function type1(): Buffer {
  const charString = (code: readonly number[]) => encrypted(code, 4330);
  const entry = (head: string, code: readonly number[], tail: string) => {
    const data = charString(code);
    return [Buffer.from(`${head} ${data.length} RD `), data, Buffer.from(` ${tail}\n`)];
  };
  const secret = Buffer.concat([
    Buffer.from('dup /Private 8 dict dup begin /BlueValues [-12 0 444 453] def /Subrs 1 array\n'),
    ...entry('dup 0', CURVE, 'NP'),
    Buffer.from('ND 2 index /CharStrings 4 dict dup begin\n'),
    ...entry('/.notdef', [...number(0), ...number(250), 13, 14], 'ND'),
    ...entry('/A', letter(700), 'ND'),
    ...entry('/omega', letter(600), 'ND'),
    ...entry('/unused', letter(500), 'ND'),
    Buffer.from('end end'),
  ]);
  const clear =
    '%!PS-AdobeFont-1.0: Test\n/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n' +
    '/FontBBox {-40 -250 1009 750} readonly def\n/Encoding 256 array\n' +
    'dup 65 /A put\ndup 66 /omega put\ndup 200 /A put\nreadonly def\ncurrentfile eexec\n';
  return Buffer.concat([Buffer.from(clear), encrypted([...secret], 55_665), Buffer.alloc(32)]);
}

describe('Type 1 fonts', () => {
  const font = readType1(type1());

  it('are read with their encoding, subroutines and outlines', () => {
    expect(font?.encoding[66]).toBe('omega');
    expect(font && outlineOf(font, 'A')).toEqual({
      width: 700,
      parts: [
        { kind: 'hints', horizontal: [{ start: 0, width: 30 }], vertical: [] },
        { kind: 'move', by: [50, -250] },
        { kind: 'line', by: [100, 0] },
        { kind: 'curve', by: [0, 10, 20, 30, 40, 50] },
      ],
    });
  });

  it('become CFF with the wanted glyphs, all their codes and no others', () => {
    const compact = font && compactType1(font, new Set(['A', 'omega', 'missing']), 'F');
    const read = compact && readCompactFont(compact);
    expect(read?.charset).toEqual(['.notdef', 'A', 'omega']);
    const codes = [...(read?.encoding ?? []).entries()].filter(([, name]) => name);
    expect(codes).toEqual([
      [65, 'A'],
      [66, 'omega'],
      [200, 'A'],
    ]);
  });

  it('never have negative numbers in the long form, which FreeType reads as positive', () => {
    const compact = font && compactType1(font, new Set(['A']), 'F');
    expect(Buffer.from(compact ?? []).includes(Buffer.from([29, 255, 255]))).toBe(false);
  });

  it('stay whole if a subroutine is missing or a charstring is cut off', () => {
    const broken = { ...font!, subroutines: new Map() };
    expect(compactType1(broken, new Set(['A']), 'F')).toBeUndefined();
    expect(readType1(Buffer.from('%!PS no font'))).toBeUndefined();
  });
});

describe('character maps', () => {
  const maps = [
    {
      platform: 1,
      encoding: 0,
      glyphs: new Map([
        [65, 1],
        [66, 2],
        [200, 9],
      ]),
    },
    {
      platform: 3,
      encoding: 1,
      glyphs: new Map([
        [65, 1],
        [66, 2],
        [67, 3],
        [0x2019, 9],
      ]),
    },
    { platform: 3, encoding: 10, glyphs: new Map([[0x1f600, 4]]) },
  ];

  it('are written and read with only some glyphs', () => {
    const read = readCharacterMaps(writeCharacterMaps(maps, new Set([1, 2, 4, 9])));
    const without3 = maps.map((map) => ({
      ...map,
      glyphs: new Map([...map.glyphs].filter(([, glyph]) => glyph !== 3)),
    }));
    expect(read).toEqual(without3);
  });

  it('that are cut off are not read', () => {
    const table = writeCharacterMaps(maps, new Set([1, 2]));
    expect(readCharacterMaps(table.subarray(0, table.length - 8))).toBeUndefined();
  });
});

describe('names of glyphs', () => {
  it('have the identifiers of the CFF specification', () => {
    const known = {
      1: 'space',
      34: 'A',
      109: 'fi',
      228: 'zcaron',
      266: 'ff',
      378: 'Ydieresissmall',
    };
    for (const [index, name] of Object.entries(known)) {
      expect(STANDARD_STRINGS[Number(index)]).toBe(name);
    }
  });

  it('are those of the encodings of PDF', () => {
    const { StandardEncoding, WinAnsiEncoding, MacRomanEncoding } = ENCODINGS;
    expect([StandardEncoding?.[39], StandardEncoding?.[251]]).toEqual(['quoteright', 'germandbls']);
    expect([WinAnsiEncoding?.[39], WinAnsiEncoding?.[128]]).toEqual(['quotesingle', 'Euro']);
    expect([WinAnsiEncoding?.[149], WinAnsiEncoding?.[228]]).toEqual(['bullet', 'adieresis']);
    expect([MacRomanEncoding?.[138], MacRomanEncoding?.[173]]).toEqual(['adieresis', 'notequal']);
    expect(unicodesOf('uni20AC')).toEqual([0x20ac]);
    expect(unicodesOf('a.alt')).toEqual([0x61]);
    expect(unicodesOf('g123')).toEqual([]);
  });
});

describe('fonts that are no fonts', () => {
  it('are refused without harm', () => {
    const empty = writeTables(TRUETYPE, new Map([['glyf', new Uint8Array(8)]]));
    expect(subsetFont(empty, { glyphs: [1], retainIds: true, keepNames: false })).toBeUndefined();
    expect(readTables(Uint8Array.of(1, 2, 3))).toBeUndefined();
    expect(readCompactFont(Uint8Array.of(1, 0, 4, 1, 255, 255))).toBeUndefined();
  });
});
