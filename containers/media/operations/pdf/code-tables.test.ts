/** Tests the Markdown of aligned code. */
import { expect, it } from 'vitest';
import { markCodeTables } from './code-tables.ts';
import { markdown } from './markdown.ts';
import { type Block, untaggedBlocks } from './page-blocks.ts';
import type { StyledWord } from './styled-words.ts';
import { wordAt } from './test-words.ts';

const PROSE = 'These are the words of a page that says what the code below it does';
const prose = PROSE.split(' ').map((word, at) => wordAt(word, 10 + at * 40, 0, 38));
/** Returns the words of rows whose letters are 6 points wide, at these columns of letters. */
const rowsOf = (rows: readonly (readonly string[])[], isMono: boolean): StyledWord[] =>
  rows.flatMap((row, at) =>
    row.map((text, column) => ({
      ...wordAt(text, 10 + column * 60, 40 + at * 12, text.length * 6),
      isMono,
    })),
  );
/** Returns the Markdown of the first page of a document. */
function written(...pages: Block[][]): string {
  markCodeTables(pages);
  return markdown(pages[0]!, 1);
}
const ROWS = [
  ['aa', '<-', '1.5'],
  ['bb', '<-', '2.5'],
  ['cc', '==', 'f(aa)'],
];

it('writes aligned lines of code as code, and other rows as a table', () => {
  expect(written(untaggedBlocks([...prose, ...rowsOf(ROWS, true)]))).toBe(
    [
      `${PROSE}\n`,
      '```',
      'aa        <-        1.5',
      'bb        <-        2.5',
      'cc        ==        f(aa)',
      '```',
    ].join('\n'),
  );
  const table = written(untaggedBlocks([...prose, ...rowsOf(ROWS, false)]));
  expect(table).toContain('| cc | == | f(aa) |');
});

it('writes the tables of a typewritten document as tables', () => {
  const typewritten = prose.map((word) => ({ ...word, isMono: true }));
  const text = written(untaggedBlocks([...typewritten, ...rowsOf(ROWS, true)]));
  expect(text).toContain('| cc | == | f(aa) |');
});

it('writes monospaced words in cells with lines around them as a table', () => {
  const lines = [
    ...[38, 51, 63, 76].map((y) => ({ left: 5, right: 185, top: y, bottom: y })),
    ...[5, 65, 125, 185].map((x) => ({ left: x, right: x, top: 38, bottom: 76 })),
  ];
  const text = written(untaggedBlocks([...prose, ...rowsOf(ROWS, true)], lines));
  expect(text).toContain('| cc | == | f(aa) |');
});

it('writes a page of aligned code as code in a document with prose', () => {
  const text = written(untaggedBlocks(rowsOf(ROWS, true)), untaggedBlocks(prose));
  expect(text).toBe(
    '```\naa        <-        1.5\nbb        <-        2.5\ncc        ==        f(aa)\n```',
  );
});
