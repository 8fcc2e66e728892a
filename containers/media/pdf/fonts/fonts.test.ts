import { describe, expect, it } from 'vitest';
import { readCharacterMaps, writeCharacterMaps } from './character-map.ts';
import { readCompactFont } from './compact-font.ts';
import { ENCODINGS, STANDARD_STRINGS, unicodesOf } from './glyph-names.ts';
import { readTables, TRUETYPE, writeTables } from './sfnt.ts';
import { subsetFont } from './subset.ts';
import { TYPE1_CLEAR, TYPE1_PRIVATE, type1Font } from './test-type1.ts';
import { readType1 } from './type1-font.ts';
import { outlineOf } from './type1-outline.ts';
import { compactType1 } from './type1-to-cff.ts';

describe('Type 1 fonts', () => {
  const font = readType1(type1Font(TYPE1_CLEAR, TYPE1_PRIVATE));

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

  it('become CFF with only the requested glyphs and all their codes', () => {
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

  it('never contain negative numbers in the long form, which FreeType reads as positive', () => {
    const compact = font && compactType1(font, new Set(['A']), 'F');
    expect(Buffer.from(compact ?? []).includes(Buffer.from([29, 255, 255]))).toBe(false);
  });

  it('are kept complete if a subroutine is missing or a charstring is truncated', () => {
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

  it('are read and written with a subset of the glyphs', () => {
    const read = readCharacterMaps(writeCharacterMaps(maps, new Set([1, 2, 4, 9])));
    const without3 = maps.map((map) => ({
      ...map,
      glyphs: new Map([...map.glyphs].filter(([, glyph]) => glyph !== 3)),
    }));
    expect(read).toEqual(without3);
  });

  it('are refused if they are truncated', () => {
    const table = writeCharacterMaps(maps, new Set([1, 2]));
    expect(readCharacterMaps(table.subarray(0, table.length - 8))).toBeUndefined();
  });
});

describe('glyph names', () => {
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

  it('match the encodings of PDF', () => {
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

describe('malformed fonts', () => {
  it('are rejected if the ranges of a character map overlap too often', () => {
    const withRanges = (count: number) => {
      const table = new DataView(new ArrayBuffer(28 + count * 12));
      table.setUint16(2, 1);
      table.setUint32(8, 12);
      table.setUint16(12, 12);
      table.setUint32(24, count);
      for (let at = 0; at < count; at += 1)
        for (const [index, word] of [0, 99_999, 1].entries())
          table.setUint32(28 + at * 12 + index * 4, word);
      return readCharacterMaps(new Uint8Array(table.buffer));
    };
    expect(withRanges(2)?.[0]?.glyphs.size).toBe(100_000);
    expect(withRanges(3)).toBeUndefined();
  });

  it('are rejected without an exception', () => {
    const empty = writeTables(TRUETYPE, new Map([['glyf', new Uint8Array(8)]]));
    expect(subsetFont(empty, { glyphs: [1], retainIds: true, keepNames: false })).toBeUndefined();
    expect(readTables(Uint8Array.of(1, 2, 3))).toBeUndefined();
    expect(readCompactFont(Uint8Array.of(1, 0, 4, 1, 255, 255))).toBeUndefined();
  });
});
