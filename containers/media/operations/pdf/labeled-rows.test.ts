/** Tests tables with cells of several lines: beside short labels, and of two lines each. */
import { expect, it } from 'vitest';
import type { StyledWord } from './styled-words.ts';
import { findTables } from './tables.ts';
import { wordAt } from './test-words.ts';

/** Makes a line of words that are 30 points wide. */
const line = (text: string, left: number, top: number): StyledWord[] =>
  text.split(' ').map((word, at) => wordAt(word, left + at * 33, top, 30));

const LONG = 'One two three four five six seven eight nine ten';
const MORE = 'and more words that fill this line up to its end';
const SHORT = 'and a few more';

/** Makes a date and a text of several lines for each row. Nearly all lines of the texts are full. */
const dated = (dates: readonly string[], top = 0): StyledWord[] =>
  dates.flatMap((date, row) => [
    ...line(date, 0, top + row * 42),
    ...[LONG, MORE, row === 0 ? SHORT : `${MORE}.`].flatMap((text, at) =>
      line(text, 90, top + row * 42 + at * 12),
    ),
  ]);

it('finds a table whose long cells are beside dates', () => {
  const [table] = findTables(dated(['3 May', '4 May', '5 May', '6 May']));
  expect(table?.rows.map(([date]) => date)).toEqual(['3 May', '4 May', '5 May', '6 May']);
  expect(table?.rows[0]?.[1]).toBe(`${LONG} ${MORE} ${SHORT}`);
});

it.each([
  [['A.', 'B.', 'C.', 'D.']],
  [['(i)', '(ii)', '(iii)', '(iv)']],
  [['1.1', '1.2', '2.1', '2.2']],
])('does not take the labels of a list for a column: %s', (labels) => {
  expect(findTables(dated(labels))).toEqual([]);
});

it('finds a table beside times, which are written like the numbers of clauses', () => {
  expect(findTables(dated(['9.15', '10.15', '11.30', '14.00']))).toHaveLength(1);
});

it('a larger line divides two such tables', () => {
  const heading = { ...wordAt('Tuesday', 0, 140, 60), size: 12, bottom: 152 };
  const words = [...dated(['1 May', '2 May', '3 May']), heading, ...dated(['4', '5', '6'], 170)];
  expect(findTables(words).map(({ rows }) => rows.length)).toEqual([3, 3]);
});

it('finds a table whose cells all have two lines', () => {
  const words = [0, 1, 2, 3].flatMap((row) =>
    ['upper', 'lower'].flatMap((text, at) =>
      [0, 50, 100].flatMap((left) => line(`${text}${row}`, left, row * 28 + at * 12)),
    ),
  );
  const [table] = findTables(words);
  expect(table?.rows).toHaveLength(4);
  expect(table?.rows[1]).toEqual(['upper1 lower1', 'upper1 lower1', 'upper1 lower1']);
});

it('finds the table of an invoice between an address and sentences', () => {
  const row = (top: number, ...texts: string[]) =>
    texts.flatMap((text, at) => (text ? line(text, at * 120, top) : []));
  const words = [
    ...row(-16, '12 Street', '', '', 'Invoice'),
    ...['Bill to', 'Example Ltd.', '1 High St', 'London'].flatMap((text, at) =>
      line(text, 0, at * 14),
    ),
    ...row(75, 'No.', 'Description', 'Price', 'Amount'),
    // The cells of the first row are centered beside a cell of two lines.
    ...line('Consulting in April', 120, 95),
    ...row(101, '1', '', '120.00', '240.00'),
    ...line('two days', 120, 107),
    ...row(125, '2', 'Travel', '30.00', '30.00'),
    ...row(143, '', '', 'Total', '270.00'),
    ...line('Please pay within thirty days to the account', 0, 172),
    ...line('Thank you', 0, 196),
  ];
  expect(findTables(words).map(({ rows }) => rows)).toEqual([
    [
      ['No.', 'Description', 'Price', 'Amount'],
      ['1', 'Consulting in April two days', '120.00', '240.00'],
      ['2', 'Travel', '30.00', '30.00'],
      ['', '', 'Total', '270.00'],
    ],
  ]);
});
