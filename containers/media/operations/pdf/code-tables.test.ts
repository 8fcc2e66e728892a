/** Tests the Markdown of aligned code. */
import { expect, it } from 'vitest';
import { markdown } from './markdown.ts';
import { untaggedBlocks } from './page-blocks.ts';
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
const ROWS = [
  ['aa', '<-', '1.5'],
  ['bb', '<-', '2.5'],
  ['cc', '==', 'f(aa)'],
];

it('writes aligned lines of code as code, and other rows as a table', () => {
  expect(markdown(untaggedBlocks([...prose, ...rowsOf(ROWS, true)]), 1)).toBe(
    [
      `${PROSE}\n`,
      '```',
      'aa        <-        1.5',
      'bb        <-        2.5',
      'cc        ==        f(aa)',
      '```',
    ].join('\n'),
  );
  const table = markdown(untaggedBlocks([...prose, ...rowsOf(ROWS, false)]), 1);
  expect(table).toContain('| cc | == | f(aa) |');
});

it('writes the tables of a typewritten page as tables', () => {
  const typewritten = prose.map((word) => ({ ...word, isMono: true }));
  const text = markdown(untaggedBlocks([...typewritten, ...rowsOf(ROWS, true)]), 1);
  expect(text).toContain('| cc | == | f(aa) |');
});

it('writes monospaced words in cells with lines around them as a table', () => {
  const lines = [
    ...[38, 51, 63, 76].map((y) => ({ left: 5, right: 185, top: y, bottom: y })),
    ...[5, 65, 125, 185].map((x) => ({ left: x, right: x, top: 38, bottom: 76 })),
  ];
  const text = markdown(untaggedBlocks([...prose, ...rowsOf(ROWS, true)], lines), 1);
  expect(text).toContain('| cc | == | f(aa) |');
});
