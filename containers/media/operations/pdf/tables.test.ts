import { expect, it } from 'vitest';
import type { StyledWord } from './styled-words.ts';
import { findTables } from './tables.ts';

/** Makes two columns with `rows` words each. The lines are ten points apart. */
const twoColumns = (rows: number): StyledWord[] =>
  Array.from({ length: 2 * rows }, (_, index) => {
    const [left, top] = [(index % 2) * 200, (index >> 1) * 10];
    return { text: `${index}`, left, right: left + 30, top, bottom: top + 8 } as StyledWord;
  });

it('findTables finds a table on a page, and none among 200,000 words', () => {
  expect(findTables(twoColumns(20))).toHaveLength(1);
  expect(findTables(twoColumns(100_000))).toEqual([]);
});
