/** Tests tables whose cells are as close as words, and tables whose cells continue on another line. */
import { describe, expect, it } from 'vitest';
import type { StyledWord } from './styled-words.ts';
import { findTables } from './tables.ts';

/** The width of a letter and of a space, and the height of a word, in points. */
const LETTER = 6;
const SPACE = 3;
const HEIGHT = 12;

/** A line of a cell: its text, its edge (the right one if negative) and its top in points. */
type GivenLine = readonly [text: string, edge: number, top: number];

/** Makes the words of the lines. Only the spaces between the words of a line are drawn. */
const wordsOf = (lines: readonly GivenLine[]): StyledWord[] =>
  lines.flatMap(([text, edge, top]) => {
    const texts = text.split(' ');
    const spaces = SPACE * (texts.length - 1);
    const width = LETTER * (text.length - texts.length + 1) + spaces;
    let left = edge < 0 ? -edge - width : edge;
    return texts.map((word, at) => {
      const box = { left, right: left + LETTER * word.length, top, bottom: top + HEIGHT };
      left = box.right + SPACE;
      return { text: word, ...box, size: HEIGHT, isDetached: at === 0 } as StyledWord;
    });
  });

const tablesIn = (lines: readonly GivenLine[]) =>
  findTables(wordsOf(lines)).map(({ rows }) => rows);

const LONG = 'A long name of an item that continues on the next line';
const ROWS = [
  ['Item', 'Spring', 'Autumn'],
  ['Seeds', '', '4.20'],
  ['Soil', '9.00', ''],
  [LONG, '1.00', '2.00'],
];
/** Returns the lines of a table with these rows. The numbers of the last row are at `top`. */
const table = (top: number): GivenLine[] => [
  ['Item', 90, 0],
  ['Spring', 204, 0],
  ['Autumn', 244, 0],
  ['Seeds', 0, 18],
  ['4.20', 244, 18],
  ['Soil', 0, 36],
  ['9.00', 204, 36],
  ['A long name of an item that continues', 0, 54],
  ['1.00', 204, top],
  ['2.00', 244, top],
  ['on the next line', 0, 68],
];

describe('findTables', () => {
  it.each([
    ['the first line', 54],
    ['the middle', 61],
  ])('joins the lines of a cell if the other cells are level with %s', (_, top) => {
    expect(tablesIn(table(top))).toEqual([ROWS]);
  });

  it('joins the lines of a cell beside numbers that end at the same position', () => {
    const numbers = (row: readonly string[], top: number): GivenLine[] =>
      row.map((text, at) => [text, -(160 + 40 * at), top]);
    const lines: GivenLine[] = [
      ...[['Item', 0, 0] as const, ...numbers(['Spring', 'Autumn'], 0)],
      ...[['Apples', 0, 15.5] as const, ...numbers(['12', '1400'], 15.5)],
      ...[['Pears and other', 0, 31] as const, ['fruit from the', 0, 45] as const],
      ...[...numbers(['7', '930'], 52), ['orchard behind', 0, 59] as const],
      ...[['the old house', 0, 73] as const, ['Plums', 0, 88.5] as const],
      ...numbers(['44', '1210'], 88.5),
    ];
    expect(tablesIn(lines)).toEqual([
      [
        ['Item', 'Spring', 'Autumn'],
        ['Apples', '12', '1400'],
        ['Pears and other fruit from the orchard behind the old house', '7', '930'],
        ['Plums', '44', '1210'],
      ],
    ]);
  });

  it('joins the lines of narrow cells beside a column of numbers', () => {
    const row = (top: number, region: string, year: string, notes: readonly string[]) => [
      [region, 0, top + 7 * (notes.length - 1)] as const,
      [year, 60, top + 7 * (notes.length - 1)] as const,
      ...notes.map((note, at): GivenLine => [note, 110, top + 14 * at]),
    ];
    const lines = [
      ...row(0, 'Region', 'Year', ['Note']),
      ...row(18, 'North', '2019', ['counted', 'twice in', 'summer']),
      ...row(64, 'South', '2020', ['counted', 'once']),
      ...row(96, 'West', '2021', ['counted']),
    ];
    expect(tablesIn(lines)).toEqual([
      [
        ['Region', 'Year', 'Note'],
        ['North', '2019', 'counted twice in summer'],
        ['South', '2020', 'counted once'],
        ['West', '2021', 'counted'],
      ],
    ]);
  });

  it('joins the lines of a cell in a first column without a heading', () => {
    const lines: GivenLine[] = [
      ['2023', 120, 0],
      ['2024', 170, 0],
      ['Income from', 0, 18],
      ['120', 120, 25],
      ['130', 170, 25],
      ['the members', 0, 32],
      ...[['Costs', 0, 50] as const, ['90', 120, 50] as const, ['101', 170, 50] as const],
      ...[['Rest', 0, 68] as const, ['30', 120, 68] as const, ['29', 170, 68] as const],
    ];
    expect(tablesIn(lines)).toEqual([
      [
        ['', '2023', '2024'],
        ['Income from the members', '120', '130'],
        ['Costs', '90', '101'],
        ['Rest', '30', '29'],
      ],
    ]);
  });

  it('does not continue a cell with a line that is two lines below it', () => {
    const rows = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper'].flatMap(
      (name, at): GivenLine[] => [
        [name, 0, 26 * at],
        ['Analyst', 120, 26 * at],
        [`555-010${at}`, 200, 26 * at],
      ],
    );
    const found = tablesIn([...rows, ['Light style:', 0, 78]]);
    expect(found.map((table) => table.slice(0, 3))).toEqual([
      [
        ['Ada Lovelace', 'Analyst', '555-0100'],
        ['Alan Turing', 'Analyst', '555-0101'],
        ['Grace Hopper', 'Analyst', '555-0102'],
      ],
    ]);
  });

  it('finds no table if the first heading is not above the cells of its column', () => {
    const rows = ['Seeds', 'Soil', 'Rope'].flatMap((name, at): GivenLine[] => [
      [name, 0, 18 * (at + 1)],
      [`${at}.20`, 204, 18 * (at + 1)],
    ]);
    const found = (heading: number) =>
      tablesIn([['Item', heading, 0], ['Price', 204, 0], ...rows]).length;
    expect(found(0)).toBe(1);
    expect(found(90)).toBe(0);
  });

  it('does not begin a cell at a word in another font', () => {
    const rows = ['One', 'Two', 'Six'].flatMap((name, row): GivenLine[] => [
      [name, 0, row * 18],
      ['(1)', 21, row * 18],
      [`${row}`, 120, row * 18],
    ]);
    const prose = Array.from(
      { length: 9 },
      (_, at): GivenLine => ['the words of some prose below it', 0, 100 + 14 * at],
    );
    expect(tablesIn([...rows, ...prose])).toEqual([
      [
        ['One (1)', '0'],
        ['Two (1)', '1'],
        ['Six (1)', '2'],
      ],
    ]);
  });
});
