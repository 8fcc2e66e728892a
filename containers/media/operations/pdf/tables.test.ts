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

/** Makes the words of a line from [text, left, right] in points. */
const line = (row: number, words: readonly (readonly [string, number, number])[]): StyledWord[] =>
  words.map(
    ([text, left, right]) =>
      ({ text, left, right, top: row * 12, bottom: row * 12 + 10, size: 10 }) as StyledWord,
  );
/** Makes a row with a name on the left, and three numbers that end at the same positions in each row. */
const fruit = (row: number, name: string, numbers: readonly string[]): StyledWord[] =>
  line(row, [
    [name, 0, 6 * name.length],
    ...numbers.map((number, at) => {
      const right = 110 + 60 * at;
      return [number, right - 6 * number.length, right] as const;
    }),
  ]);
const FRUITS = [
  ['Apples', '1,200', '12', '3.4'],
  ['Pears', '900', '7', '2.2'],
  ['Plums', '31', '44', '9.1'],
];
const rowsBelow = (first: number) =>
  FRUITS.flatMap(([name, ...numbers], at) => fruit(first + at, name!, numbers));

it.each([
  [
    'all headings run together',
    [
      ['Kind', 0, 24],
      ['of', 27, 39],
      ['Unit', 47, 71],
      ['price', 74, 110],
      ['Number', 118, 170],
      ['Weight', 178, 230],
    ],
    ['Kind of', 'Unit price', 'Number', 'Weight'],
  ],
  [
    'two headings of a small table run together',
    [
      ['Kind', 0, 24],
      ['Price', 80, 110],
      ['Number', 118, 170],
      ['Weight', 178, 230],
    ],
    ['Kind', 'Price', 'Number', 'Weight'],
  ],
] as const)('findTables divides headings by the columns below them if %s', (_, words, headings) => {
  const [table] = findTables([...line(0, words), ...rowsBelow(1)]);
  expect(table!.rows).toEqual([headings, ...FRUITS]);
});

it('findTables does not divide a title above a table', () => {
  const title = line(0, [
    ['Fruits', 30, 66],
    ['of', 69, 81],
    ['the', 84, 102],
    ['year', 105, 129],
    ['2024', 132, 156],
  ]);
  const [table] = findTables([...title, ...rowsBelow(1)]);
  expect(table!.rows).toEqual(FRUITS);
});

it('findTables finds no table in level lines of two columns', () => {
  const labels = line(0, [['label', 200, 230]]);
  const left = rowsBelow(0).map((word) => ({ ...word, text: word.text.toLowerCase() }));
  const prose = Array.from({ length: 40 }, (_, row) => line(4 + row, [['prose', 0, 150]])).flat();
  const beside = [1, 2, 3].flatMap((row) => line(row, [[`${row}`, 320, 326]]));
  const isMixed = ({ words }: { words: Set<StyledWord> }) =>
    beside.some((word) => words.has(word)) && left.some((word) => words.has(word));
  expect(findTables([...left, ...prose, ...labels, ...beside]).some(isMixed)).toBe(false);
  expect(findTables([...left, ...beside]).some(isMixed)).toBe(true);
});

it('findTables keeps tables apart that share no row', () => {
  const cells = (row: number, texts: readonly string[], left: number) =>
    line(
      row,
      texts.map((text, at) => [text, left + 70 * at, left + 70 * at + 6 * text.length] as const),
    );
  const first = [0, 1, 2].flatMap((row) => cells(row, [`name${row}`, `${row}`], 0));
  const second = [3, 4, 5].flatMap((row) => cells(row, [`other${row}`, `${row}`], 200));
  const found = findTables([...first, ...second]);
  for (const { words } of found)
    expect(first.some((word) => words.has(word)) && second.some((word) => words.has(word))).toBe(
      false,
    );
});

it('findTables joins a heading at the left edge of a column with numbers at its right edge', () => {
  const sheet = (row: number, texts: readonly string[]) =>
    line(
      row,
      texts.map((text, at) => {
        const left = 64 * at + (row > 0 && at > 0 ? 62 - 6 * text.length : 0);
        return [text, left, left + 6 * text.length];
      }),
    );
  for (const count of [3, 20]) {
    const rows = [
      ['Year', 'Q1', 'Q2'],
      ...Array.from({ length: count }, (_, at) => [`${2000 + at}`, `${at + 1}`, `${at * 7}`]),
    ];
    const [table] = findTables(rows.flatMap((texts, row) => sheet(row, texts)));
    expect(table?.rows).toEqual(rows);
  }
});

it('findTables does not join rows whose amounts have spaces, or that are far apart', () => {
  const rows = [
    ['Product', 'Net', 'Gross'],
    ['Desk', '1 000.00 €', '1 190.00 €'],
    ['Lamp', '12 345 678.90 €', '14 691 357.89 €'],
  ];
  const words = rows.flatMap((texts, row) =>
    texts.flatMap((text, at) => {
      let left = at === 0 ? 0 : 40 + 110 * at - (row === 0 ? 92 : 6 * text.length);
      return line(
        row,
        text.split(' ').map((part) => {
          const start = left;
          left += 6 * part.length + 6;
          return [part, start, left - 6];
        }),
      );
    }),
  );
  expect(findTables(words).map((table) => table.rows)).toEqual([rows]);
});

it('findTables does not join rows whose last cells are numbers with units', () => {
  const rows = [
    ['Model', 'Power', 'Weight'],
    ['A 100', '1.2 kW', '3.5 kg'],
    ['B 200', '', '4.1 kg'],
    ['C 300', '2.0 kW', ''],
  ];
  const words = rows.flatMap((texts, row) =>
    texts.flatMap((text, at) => {
      const [first = '', second] = text.split(' ');
      const left = 140 * at;
      const middle = left + 6 * first.length;
      const own = first ? ([[first, left, middle]] as const) : [];
      const unit = second ? ([[second, middle + 3, middle + 3 + 6 * second.length]] as const) : [];
      return line(row, [...own, ...unit]);
    }),
  );
  expect(findTables(words).map((table) => table.rows)).toEqual([rows]);
});

it('findTables does not take the numbers of a list for a column', () => {
  const items = ['First of all', 'Second of all', 'Third of all', 'Fourth of all'];
  const list = (label: (row: number) => string) =>
    items.flatMap((text, row) =>
      line(row, [
        [label(row), 0, 10],
        [text, 24, 90],
      ]),
    );
  expect(findTables(list((row) => `${row + 1}`))).toHaveLength(1);
  expect(findTables(list((row) => `${row + 1}.`))).toEqual([]);
});
