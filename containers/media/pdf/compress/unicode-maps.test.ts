import { expect, it } from 'vitest';
import { readUnicodeMap } from './unicode-maps.ts';
import { writeUnicodeMap } from './write-unicode-map.ts';

const mapOf = (range: string, codes: number) => {
  const all = '1 begincodespacerange <0000><ffff> endcodespacerange 1 beginbfrange';
  const shown = Array.from({ length: codes }, (_, code) => code);
  return readUnicodeMap(Buffer.from(`${all} ${range} endbfrange`), new Set(shown));
};

it('readUnicodeMap reads no text that is too long to be copied for each code', () => {
  expect(mapOf(`<0000><ffff><${'0041'.repeat(100_000)}>`, 65_536)).toBeUndefined();
  const map = mapOf(`<0000><ffff><${'0041'.repeat(256)}>`, 65_536)!;
  expect(map.texts.get(2)?.size).toBe(65_536);
  expect(writeUnicodeMap(map).length).toBeGreaterThan(65_536);
});

it('readUnicodeMap visits only the shown codes of a range', () => {
  let visited = 0;
  class Counted extends Set<number> {
    override has(code: number): boolean {
      visited += 1;
      return super.has(code);
    }
  }
  const range =
    '1 begincodespacerange <0000><ffff> endcodespacerange 1 beginbfrange <0000><ffff><0041> endbfrange';
  const map = readUnicodeMap(Buffer.from(range), new Counted([7, 9]));
  expect(map?.texts.get(2)?.size).toBe(2);
  expect(visited).toBeLessThan(10);
});
