/** Tests the Markdown of lists and tables of contents whose labels are far from their text. */
import { expect, it } from 'vitest';
import { markdown } from './markdown.ts';
import { untaggedBlocks } from './page-blocks.ts';
import { wordAt } from './test-words.ts';

const bullet = (top: number, left = 60) => wordAt('•', left, top, 5);
/** Returns the words of a line. */
const line = (text: string, left: number, top: number) =>
  text.split(' ').map((word, at) => wordAt(word, left + at * 40, top, 37));
/** Returns the lines of the cells of a table. */
const frame = (xs: readonly number[], ys: readonly number[]) => [
  ...ys.map((y) => ({ left: xs[0]!, right: xs.at(-1)!, top: y, bottom: y })),
  ...xs.map((x) => ({ left: x, right: x, top: ys[0]!, bottom: ys.at(-1)! })),
];

it('joins bullets far from their text with it, also if they are read as a column', () => {
  const words = [
    ...[bullet(0), bullet(24), bullet(36)],
    ...[line('These are words', 90, 0), line('of one item', 90, 12)].flat(),
    ...[line('Second item', 90, 24), line('Third item', 90, 36)].flat(),
  ];
  expect(markdown(untaggedBlocks(words), 1)).toBe(
    '- These are words of one item\n- Second item\n- Third item',
  );
});

it('reads short items with bullets as a list, not as a table', () => {
  const items = ['Spades', 'Rakes', 'Hoses', 'Pots'];
  const words = items.flatMap((item, at) => [bullet(at * 14), wordAt(item, 85, at * 14, 30)]);
  expect(markdown(untaggedBlocks(words), 1)).toBe(items.map((item) => `- ${item}`).join('\n'));
});

it('leaves bullets in cells of tables where they are', () => {
  const rows = ['Basic', 'Large', 'Whole'];
  const words = rows.flatMap((row, at) => [
    ...[wordAt(row, 10, at * 20, 30), bullet(at * 20), wordAt('Yes', 90, at * 20, 15)],
  ]);
  const expected =
    '| Basic | • | Yes |\n| --- | --- | --- |\n| Large | • | Yes |\n| Whole | • | Yes |';
  expect(markdown(untaggedBlocks(words), 1)).toBe(expected);
  const cells = words.filter(({ left }) => left > 10);
  expect(markdown(untaggedBlocks(cells, frame([50, 80, 120], [-5, 15, 35, 55])), 1)).toContain(
    '| • | Yes |',
  );
});

it('joins numbers far from the items of a list, and the page numbers of a table of contents', () => {
  const words = [
    ...[wordAt('1.', 60, 0, 8), ...line('These are words', 90, 0), ...line('of one item', 90, 12)],
    ...[wordAt('2.', 60, 24, 8), ...line('Second item', 90, 24)],
    ...[...line('Digging', 60, 80), wordAt('. . . . . .', 120, 80, 60), wordAt('7', 220, 80, 5)],
    ...[
      ...line('Raking', 60, 100),
      wordAt('. . . . . .', 120, 100, 60),
      wordAt('19', 215, 100, 10),
    ],
  ];
  expect(markdown(untaggedBlocks(words), 1).split('\n')).toEqual([
    '1. These are words of one item',
    '2. Second item',
    '',
    'Digging . . . . . . 7',
    '',
    'Raking . . . . . . 19',
  ]);
});

it('reads the bullet of the text symbols of TeX', () => {
  const words = [wordAt('\u0088', 60, 0, 5), ...line('First item', 70, 0)];
  expect(markdown(untaggedBlocks(words), 1)).toBe('- First item');
});

it('ends an item before a line at the edge of its bullet, or if its first word fits in the line above', () => {
  const outdented = [
    ...[wordAt('•', 60, 0, 5), ...line('These are words', 75, 0), ...line('of one item', 75, 12)],
    ...line('This is the next paragraph', 60, 24),
  ];
  const short = [
    ...[wordAt('•', 60, 100, 5), ...line('Short item', 75, 100)],
    ...line('This is the last paragraph', 60, 112),
  ];
  const wrapped = [
    ...[wordAt('•', 60, 200, 5), ...line('This item is as wide as the', 75, 200)],
    ...line('line below its bullet', 60, 212),
  ];
  expect(markdown(untaggedBlocks([...outdented, ...short, ...wrapped]), 1).split('\n')).toEqual([
    '- These are words of one item',
    '',
    'This is the next paragraph',
    '',
    '- Short item',
    '',
    'This is the last paragraph',
    '',
    '- This item is as wide as the line below its bullet',
  ]);
});

it('joins the circles of Microsoft Word, the letter o in Courier, with their text', () => {
  const circle = (top: number) => ({ ...wordAt('o', 10, top, 6), isMono: true });
  const words = [circle(0), circle(12), wordAt('First', 40, 0, 30), wordAt('Second', 40, 12, 36)];
  expect(markdown(untaggedBlocks(words), 1)).toBe('- First\n- Second');
});
