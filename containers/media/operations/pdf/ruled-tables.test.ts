import { afterAll, describe, expect, it } from 'vitest';
import type { Box } from '../../pdf/page-space.ts';
import { untaggedBlocks } from './page-blocks.ts';
import { ruledTables } from './ruled-tables.ts';
import type { StyledWord } from './styled-words.ts';
import { distilled, emptyFolder, operate } from './test-files.ts';
import { wordAt } from './test-words.ts';

afterAll(emptyFolder);

const WIDTH = 100;
const HEIGHT = 20;

const word = (text: string, left: number, top: number) => wordAt(text, left, top, 5 * text.length);

/**
 * Returns the words of cells of 100 x 20 points, and the rules of their grid. Line breaks separate the lines of a cell.
 */
function table(rows: readonly (readonly string[])[]) {
  const words = rows.flatMap((row, at) =>
    row.flatMap((cell, column) =>
      cell
        .split('\n')
        .flatMap((line, number) =>
          line === ''
            ? []
            : line
                .split(' ')
                .map((text, index) =>
                  word(text, column * WIDTH + 4 + index * 40, at * HEIGHT + number * 9),
                ),
        ),
    ),
  );
  const columns = rows[0]!.length;
  const horizontal = [...rows, []].map((_, at) =>
    rule(0, at * HEIGHT, columns * WIDTH, at * HEIGHT),
  );
  const vertical = [...rows[0]!, ''].map((_, at) =>
    rule(at * WIDTH, 0, at * WIDTH, rows.length * HEIGHT),
  );
  return { words, horizontal, vertical };
}

const rule = (left: number, top: number, right: number, bottom: number): Box => ({
  left,
  top,
  right,
  bottom,
});

const rowsIn = (words: readonly StyledWord[], lines: readonly Box[]) =>
  ruledTables(words, lines).map(({ rows }) => rows);

const ROWS = [
  ['No', 'Name', 'Price'],
  ['1', 'Long name\nof it', '2.50'],
  ['2', 'Short', '3.50'],
];
const TEXTS = ROWS.map((row) => row.map((text) => text.replace('\n', ' ')));

describe('ruledTables', () => {
  it('finds the cells between lines', () => {
    const { words, horizontal, vertical } = table(ROWS);
    expect(rowsIn(words, [...horizontal, ...vertical])).toEqual([TEXTS]);
    expect(rowsIn(words, horizontal)).toEqual([]);
    expect(rowsIn(words, vertical)).toEqual([]);
  });

  it('puts the text of a cell that spans others into its first column and row', () => {
    const { words, horizontal, vertical } = table([...ROWS, ['Sum', '', '6.00']]);
    const [first, second, ...others] = vertical;
    const lines = [...horizontal, first!, { ...second!, bottom: 3 * HEIGHT }, ...others];
    expect(rowsIn(words, lines)).toEqual([[...TEXTS, ['Sum', '', '6.00']]]);
    const merged = [word('Sum', 4, 60), word('total', 80, 60), word('6.00', 204, 60)];
    expect(rowsIn([...table(ROWS).words, ...merged], lines)).toEqual([
      [...TEXTS, ['Sum total', '', '6.00']],
    ]);
  });

  it.each([
    [
      'groups of rows',
      [
        ['a\nb', 'c\nd'],
        ['e\nf', 'g\nh'],
      ],
    ],
    [
      'a diagram',
      [
        ['a', '', '', '', ''],
        ['', '', '', '', ''],
        ['', '', '', '', 'b'],
      ],
    ],
    [
      'one column of text',
      [
        ['a', ''],
        ['b', ''],
        ['c', ''],
      ],
    ],
  ])('finds no table in the lines of %s', (_, rows) => {
    const { words, horizontal, vertical } = table(rows);
    expect(rowsIn(words, [...horizontal, ...vertical])).toEqual([]);
  });

  it('finds no table in a frame around prose', () => {
    const { words, horizontal, vertical } = table(ROWS);
    const prose = Array.from({ length: 200 }, () => word('x', 10, 5));
    expect(rowsIn([...words, ...prose], [...horizontal, ...vertical])).toEqual([]);
  });

  it('keeps tables apart that do not touch', () => {
    const { words, horizontal, vertical } = table(ROWS);
    const below = <Each extends Box>(boxes: readonly Each[]) =>
      boxes.map((box) => ({ ...box, top: box.top + 100, bottom: box.bottom + 100 }));
    const lines = [...horizontal, ...vertical];
    expect(rowsIn([...words, ...below(words)], [...lines, ...below(lines)])).toEqual([
      TEXTS,
      TEXTS,
    ]);
  });

  it('moves lines that are side by side in a cell to the columns of the table', () => {
    const { words, horizontal, vertical } = table(ROWS);
    const total = [word('Total', 104, 60), word('8.50', 204, 60)];
    const [first, second, third, last] = vertical;
    const long = (line: Box | undefined) => ({ ...line!, bottom: 4 * HEIGHT });
    const lines = [...horizontal, rule(0, 80, 300, 80), long(first), second!, third!, long(last)];
    expect(rowsIn([...words, ...total], lines)).toEqual([[...TEXTS, ['', 'Total', '8.50']]]);
  });

  it.each([
    ['sure if few rows have two lines in most cells', ROWS, true],
    [
      'unsure if many rows have two lines in most cells',
      [...ROWS, ['3\n4', 'One\nTwo', '5.00'], ['5\n6', 'One\nTwo', '5.00']],
      false,
    ],
  ])('is %s', (_, rows, isReliable) => {
    const { words, horizontal, vertical } = table(rows);
    const [found] = ruledTables(words, [...horizontal, ...vertical]);
    expect(found?.isReliable).toBe(isReliable);
  });

  it('is unsure if no lines divide three rows', () => {
    const { words, horizontal, vertical } = table([...ROWS, ['3', 'Other', '1.20']]);
    const lines = [...horizontal.slice(0, 2), ...horizontal.slice(4), ...vertical];
    const [found] = ruledTables(words, lines);
    expect([found?.rows.length, found?.isReliable]).toEqual([2, false]);
  });

  it('reads a page with the maximum number of lines', () => {
    const lines = Array.from({ length: 1500 }, (_, at) => [
      rule(0, at * 4, 6000, at * 4),
      rule(at * 4, 0, at * 4, 6000),
    ]).flat();
    expect(rowsIn([word('a', 0, 0)], lines)).toEqual([]);
  });
});

it('untaggedBlocks writes the words of a table within a cell once', () => {
  const { words, horizontal, vertical } = table(ROWS);
  const outer = [-30, 320, 360].map((x) => rule(x, -30, x, 140));
  const across = [-30, 100, 140].map((y) => rule(-30, y, 360, y));
  const around = [word('Seller', 4, 110), word('Buyer', 322, 110)];
  const lines = [...outer, ...across, ...horizontal, ...vertical];
  const blocks = untaggedBlocks([...words, ...around], lines);
  expect(blocks.flatMap(({ rows }) => (rows ? [rows] : []))).toEqual([TEXTS]);
});

it('untaggedBlocks reads two tables with lines that are close together as two', () => {
  const { words, horizontal, vertical } = table([
    ['Kind', 'Count', ''],
    ['Pen', '12', 'blue'],
    ['Cup', '', ''],
  ]);
  const lines = [...horizontal, ...vertical];
  const between = word('Below:', 4, 66);
  const moved = <Each extends Box>(boxes: readonly Each[]) =>
    boxes.map((box) => ({ ...box, top: box.top + 84, bottom: box.bottom + 84 }));
  const blocks = untaggedBlocks([...words, between, ...moved(words)], [...lines, ...moved(lines)]);
  const rows = [
    ['Kind', 'Count', ''],
    ['Pen', '12', 'blue'],
    ['Cup', '', ''],
  ];
  expect(blocks.map((block) => block.rows ?? block.type)).toEqual([rows, 'paragraph', rows]);
});

it.each([
  [
    'strokes',
    (x: number, y: number, w: number, h: number) => `${x} ${y} moveto ${w} ${h} rlineto stroke`,
  ],
  [
    'narrow rectangles',
    (x: number, y: number, w: number, h: number) => `${x} ${y} ${w || 0.7} ${h || 0.7} rectfill`,
  ],
])('parse_document finds a table whose lines are %s', async (name, draw) => {
  const horizontal = [0, 1, 2, 3].map((at) => draw(50, 100 + at * 30, 300, 0));
  const vertical = [50, 75, 300, 350].map((x) => draw(x, 100, 0, 90));
  const text = (x: number, y: number, shown: string) => `${x} ${y} moveto (${shown}) show`;
  const rows = [
    ['No', 'Description of the goods', 'Price'],
    ['1', 'A widget with a long name that fills all its cell', '2.50'],
    ['2', 'A widget with another name that fills all of it', '3.50'],
  ];
  const words = rows.flatMap(([number, goods, price], at) => [
    text(52, 170 - at * 30, number!),
    text(78, 170 - at * 30, goods!),
    text(303, 170 - at * 30, price!),
  ]);
  const page = [...horizontal, ...vertical, '/Helvetica 9.5 selectfont', ...words, 'showpage'];
  const path = distilled(`ruled-${name.slice(0, 3)}`, page.join('\n'));
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  const [head, ...body] = rows.map((row) => `| ${row.join(' | ')} |`);
  expect(JSON.parse(bytes.toString()).text).toBe([head, '| --- | --- | --- |', ...body].join('\n'));
});
