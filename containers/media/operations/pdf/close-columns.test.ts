import { expect, it } from 'vitest';
import { findTables } from './tables.ts';
import { wordAt } from './test-words.ts';

/** Returns a row with a name, an amount that ends at 100 points, and a remark that begins at 103 points. */
const row = (top: number, name: string, amount: string, remark: string) => [
  wordAt(name, 0, top, 5 * name.length),
  wordAt(amount, 100 - 5 * amount.length, top, 5 * amount.length),
  wordAt(remark, 103, top, 5 * remark.length),
];
const HEADINGS = [wordAt('Name', 0, 0, 20), wordAt('Sum', 75, 0, 15), wordAt('Active', 103, 0, 30)];
const ROWS: [string, string, string][] = [
  ['Ada', '1.00', 'yes'],
  ['Alan', '10.00', 'no'],
  ['Admiral Hopper', '7.50', 'unknown'],
];

it('findTables divides a column of numbers and the text that begins directly after it', () => {
  const words = [HEADINGS, ...ROWS.map((texts, at) => row(14 * (at + 1), ...texts))].flat();
  expect(findTables(words).map(({ rows }) => rows)).toEqual([[['Name', 'Sum', 'Active'], ...ROWS]]);
});

it('findTables does not divide amounts and their currency, or text with a word above the gap', () => {
  const amounts = ROWS.flatMap(([name, amount], at) => row(14 * at, name, amount, 'EUR'));
  expect(findTables(amounts).map(({ rows }) => rows)).toEqual([
    ROWS.map(([name, amount]) => [name, `${amount} EUR`]),
  ]);
  const words = ROWS.flatMap((texts, at) => row(28 * at, ...texts));
  const between = [14, 42].flatMap((top) => [wordAt('Note', 0, top, 20), wordAt('x', 80, top, 40)]);
  expect(findTables([...words, ...between])[0]?.rows[0]).toEqual(['Ada', '1.00 yes']);
});
