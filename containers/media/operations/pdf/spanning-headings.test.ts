/** Tests tables without lines whose headings span several columns, and whose rows have labels or negative amounts. */
import { expect, it } from 'vitest';
import { findTables } from './tables.ts';
import { wordAt } from './test-words.ts';

/** Returns a row of cells. Each cell is its left edge and its text, whose letters are 5 points wide. */
const row = (top: number, ...cells: readonly [left: number, text: string][]) =>
  cells.flatMap(([left, text]) => {
    let x = left;
    return text.split(' ').map((word) => {
      const placed = wordAt(word, x, top, 5 * word.length);
      x += 5 * word.length + 3;
      return placed;
    });
  });

const tablesIn = (...rows: ReturnType<typeof row>[]) =>
  findTables(rows.flat()).map((table) => table.rows);

it('findTables finds a small table whose headings span several columns', () => {
  expect(
    tablesIn(
      row(0, [125, 'First half'], [260, 'Second half']),
      row(14, [0, 'Item'], [100, 'Q1'], [170, 'Q2'], [240, 'Q3'], [310, 'Q4']),
      row(28, [0, 'Rent'], [100, '400.00'], [170, '400.00'], [240, '410.00'], [310, '410.00']),
      row(42, [0, 'Heating'], [100, '120.50'], [240, '15.00'], [310, '90.00']),
      row(56, [0, 'Water'], [100, '31.00'], [170, '29.50'], [310, '30.40']),
    ),
  ).toEqual([
    [
      ['', 'First half', '', 'Second half', ''],
      ['Item', 'Q1', 'Q2', 'Q3', 'Q4'],
      ['Rent', '400.00', '400.00', '410.00', '410.00'],
      ['Heating', '120.50', '', '15.00', '90.00'],
      ['Water', '31.00', '29.50', '', '30.40'],
    ],
  ]);
});

it('findTables includes the headings above the label of the first group of rows', () => {
  expect(
    tablesIn(
      row(0, [150, 'June 2025'], [250, 'June 2024']),
      row(14, [0, 'Net sales:']),
      row(28, [10, 'Products'], [155, '61,564'], [255, '60,101']),
      row(42, [10, 'Services'], [155, '24,213'], [255, '21,213']),
      row(56, [0, 'Total net sales'], [155, '85,777'], [255, '81,314']),
    ),
  ).toEqual([
    [
      ['', 'June 2025', 'June 2024'],
      ['Net sales:', '', ''],
      ['Products', '61,564', '60,101'],
      ['Services', '24,213', '21,213'],
      ['Total net sales', '85,777', '81,314'],
    ],
  ]);
});

it('findTables does not join a negative amount in parentheses with the amount above it', () => {
  const rows: [string, string, string, string][] = [
    ['Salaries', '$12,500.00', '$13,000.00', '$51,000.00'],
    ['Refunds', '($310.25)', '', '($405.25)'],
    ['Travel', '', '$88.00', '$1,932.10'],
    ['Rent', '$4,000.00', '$4,000.00', '$16,000.00'],
    ['Depreciation', '-$250.00', '-$250.00', '-$1,000.00'],
  ];
  const words = rows.map(([label, ...amounts], at) =>
    row(
      14 * at,
      [0, label],
      ...amounts.flatMap((amount, column): [number, string][] =>
        amount ? [[140 + 70 * column - 5 * amount.length, amount]] : [],
      ),
    ),
  );
  expect(tablesIn(...words)).toEqual([rows]);
});
