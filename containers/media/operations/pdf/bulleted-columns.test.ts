/** Tests lists that are side by side, as on a slide or in a CV. */
import { expect, it } from 'vitest';
import { findTables } from './tables.ts';
import { wordAt } from './test-words.ts';

/** Returns a row of two cells, whose words are separated by spaces. */
const row = (top: number, ...cells: readonly string[]) =>
  cells.flatMap((text, column) => {
    let x = column * 200;
    return text.split(' ').map((word) => {
      const placed = wordAt(word, x, top, 5 * word.length);
      x += 5 * word.length + 3;
      return placed;
    });
  });

const ROWS = [
  ['Good', 'Bad'],
  ['Revenue up', 'Support queue grew'],
  ['Churn down', 'Late releases'],
] as const;

it('findTables does not join the items of two lists', () => {
  const bulleted = ROWS.slice(1).map((cells) => cells.map((text) => `• ${text}`));
  const lists = [ROWS[0], ...bulleted].flatMap((cells, at) => row(at * 14, ...cells));
  expect(findTables(lists)).toEqual([]);
  const table = ROWS.flatMap((cells, at) => row(at * 14, ...cells));
  expect(findTables(table).map(({ rows }) => rows)).toEqual([ROWS]);
});
