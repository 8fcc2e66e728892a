/** Tests tables that Chromium tags as layout because they have no headings. */
import { expect, it } from 'vitest';
import type { StructureElement } from '../../pdf/structure-tree.ts';
import { taggedBlocks } from './page-blocks.ts';
import type { StyledWord } from './styled-words.ts';
import { wordAt } from './test-words.ts';

/** Makes a line in its own element. The words are 30 points wide. */
function line(text: string, left: number, top: number, order: number): StyledWord[] {
  const element = { type: 'NonStruct', kids: [] } as unknown as StructureElement;
  return text
    .split(' ')
    .map((word, at) => ({ ...wordAt(word, left + at * 33, top, 30), order, element }));
}

const ROWS = [
  ['Subtotal', '89.00'],
  ['VAT 20%', '17.80'],
  ['Total', '106.80'],
];

/** Returns the types of the blocks, and the rows of the table. `orderOf` sets the logical order of a cell. */
function read(orderOf: (row: number, column: number) => number) {
  const cells = ROWS.flatMap((row, at) =>
    row.flatMap((text, column) => line(text, column * 100, 40 + at * 15, orderOf(at, column))),
  );
  const words = [...line('Please pay now', 0, 0, 0), ...cells, ...line('Thank you', 0, 120, 99)];
  const blocks = taggedBlocks(words);
  return [blocks.map(({ type }) => type), ...blocks.flatMap(({ rows }) => (rows ? [rows] : []))];
}

it('taggedBlocks finds a table whose cells are tagged as layout, row by row', () => {
  expect(read((row, column) => 1 + row * 2 + column)).toEqual([
    ['paragraph', 'table', 'paragraph'],
    ROWS,
  ]);
});

it('taggedBlocks follows the order of columns that are tagged one after the other', () => {
  expect(read((row, column) => 1 + column * 3 + row)[1]).toBeUndefined();
});
