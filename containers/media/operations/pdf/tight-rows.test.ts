import { afterAll, describe, expect, it } from 'vitest';
import type { StyledWord } from './styled-words.ts';
import { findTables } from './tables.ts';
import { emptyFolder, operate } from './test-files.ts';
import { taggedPage } from './test-tagged.ts';

afterAll(emptyFolder);

/** The text of a word and its edges in points. `detached` marks a word that no drawn space precedes. */
type GivenWord = readonly [text: string, left: number, right: number, detached?: 'detached'];

/** Returns the rows of the tables in these lines. */
const tablesIn = (lines: readonly (readonly GivenWord[])[]) =>
  findTables(
    lines.flatMap((words, row) =>
      words.map(([text, left, right, detached], at) => {
        const box = { left, right, top: row * 14, bottom: row * 14 + 12 };
        const isDetached = at === 0 || detached !== undefined;
        return { text, ...box, size: 12, isDetached } as StyledWord;
      }),
    ),
  ).map(({ rows }) => rows);

const HEADINGS: GivenWord[] = [
  ['Item', 16, 40],
  ['Price', 82, 112, 'detached'],
];
const BOOK: GivenWord[] = [
  ['Book', 0, 30],
  ['14.00', 74, 104, 'detached'],
  ['€', 108, 114],
];
const LAMP: GivenWord[] = [
  ['Desk', 0, 30],
  ['lamp', 34, 70],
  ['39.00', 74, 104, 'detached'],
  ['€', 108, 114],
];
const ROWS = [
  ['Item', 'Price'],
  ['Book', '14.00 €'],
  ['Desk lamp', '39.00 €'],
];

describe('findTables', () => {
  it('divides a row whose cells are as close together as words', () => {
    expect(tablesIn([HEADINGS, BOOK, LAMP])).toEqual([ROWS]);
    expect(tablesIn([HEADINGS, LAMP, BOOK])).toEqual([[ROWS[0], ROWS[2], ROWS[1]]]);
  });

  it('does not divide a line whose spaces are drawn, or whose words are not aligned', () => {
    const drawn = LAMP.map(([text, left, right]): GivenWord => [text, left, right]);
    const moved: GivenWord[] = [['Desk', 3, 30], ...LAMP.slice(1)];
    expect(tablesIn([HEADINGS, BOOK, drawn])).toEqual([]);
    expect(tablesIn([HEADINGS, BOOK, moved])).toEqual([]);
  });

  it('does not divide a line in which each word is placed', () => {
    const placed = LAMP.map(([text, left, right]): GivenWord => [text, left, right, 'detached']);
    expect(tablesIn([HEADINGS, BOOK, placed])).toEqual([]);
  });

  it('divides cells that are not aligned with a heading, between aligned cells', () => {
    const headings: GivenWord[] = [
      ['Name', 0, 30],
      ['Amount', 50, 90, 'detached'],
      ['Note', 150, 175, 'detached'],
    ];
    const row = (name: string, amount: string, note: string): GivenWord[] => [
      [name, 0, 20],
      [amount, 147 - 6 * amount.length, 147, 'detached'],
      [note, 150, 170, 'detached'],
    ];
    expect(tablesIn([headings, row('Pen', '12', 'ok'), row('Cup', '7', 'late')])).toEqual([
      [
        ['Name', 'Amount', 'Note'],
        ['Pen', '12', 'ok'],
        ['Cup', '7', 'late'],
      ],
    ]);
  });
});

it('parse_document finds a table whose last row has no gap between its cells', async () => {
  const widths = Array.from({ length: 95 }, () => 600).join(' ');
  const font = '/Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/LastChar 126';
  const texts = [
    [72, 740, 'We offer the following items.'],
    [87, 716, 'Item'],
    [138, 716, 'Price'],
    [72, 702, 'Pen'],
    [129, 702, '1.20 EUR'],
    [72, 688, 'Desk lamp'],
    [129, 688, '9.00 EUR'],
    [72, 660, 'All prices include the tax of this country.'],
  ] as const;
  const path = taggedPage('tight-row', texts, {
    1: '<</Type/Catalog/Pages 2 0 R>>',
    6: `<<${font}/Widths[${widths}]>>`,
  });
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  const { text } = JSON.parse(bytes.toString('utf8'));
  expect(text).toContain(
    ['| Item | Price |', '| --- | --- |', '| Pen | 1.20 EUR |', '| Desk lamp | 9.00 EUR |'].join(
      '\n',
    ),
  );
});
