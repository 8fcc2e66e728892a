/** Tests documents in which all words are monospaced. */
import { expect, it } from 'vitest';
import { markdown } from './markdown.ts';
import { type Block, untaggedBlocks } from './page-blocks.ts';
import { wordAt } from './test-words.ts';
import { readTypewritten } from './typewritten.ts';

/** Reads lines of monospaced text as a page. Each character is 6 points wide, and a blank line is 12 points high. */
function read(lines: readonly string[]): Block[] {
  const words = lines.flatMap((text, row) =>
    [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
      ...wordAt(word, index * 6, row * 12, word.length * 6),
      bottom: row * 12 + 8,
      isMono: true,
    })),
  );
  const blocks = untaggedBlocks(words);
  readTypewritten([blocks]);
  return blocks;
}

const summaryOf = (blocks: readonly Block[]) =>
  blocks.map(({ type, level, lines }) => [
    level === undefined ? type : `${type} ${level}`,
    lines[0]!.words.map(({ text }) => text).join(' '),
  ]);

const RFC = [
  'Abstract',
  '',
  '   This memo describes a protocol for bridges that are too narrow for',
  '   two carts, and the messages that their keepers send to each other.',
  '',
  '1.  Introduction',
  '',
  '   Most bridges of the region were built before the first railway and',
  '   were never widened.',
  '',
  '1.1.  Terminology',
  '',
  '   o  A cart has two wheels and is drawn by one horse or by one donkey,',
  '      as the custom of the region is.',
  '',
  '   +------+--------+',
  '   | Type |        |',
  '   +------+--------+',
];

it('a typewritten document has headings, paragraphs and list items, and keeps its diagrams', () => {
  const summary = summaryOf(read(RFC));
  expect(summary.slice(0, 6)).toEqual([
    ['heading 1', 'Abstract'],
    ['paragraph', 'This memo describes a protocol for bridges that are too narrow for'],
    ['heading 1', '1. Introduction'],
    ['paragraph', 'Most bridges of the region were built before the first railway and'],
    ['heading 2', '1.1. Terminology'],
    ['list item', '• A cart has two wheels and is drawn by one horse or by one donkey,'],
  ]);
  expect(new Set(summary.slice(6).map(([type]) => type))).toEqual(new Set(['code']));
});

it('the items of a list in a typewritten document are not inline code', () => {
  const lines = ['The bridges of the region have names.', '', '1. Old', '2. Narrow'];
  expect(markdown(read(lines), 1)).toBe(
    'The bridges of the region have names.\n\n1. Old\n2. Narrow',
  );
});

it.each([
  [
    'without comments',
    ['int main(void)', '{', '    int width = 3;', '    return cross(&river);', '}'],
  ],
  [
    'with long comments',
    [
      '# The carts cross the bridge one by one. The keeper of the bridge counts',
      '# them, and closes the gate if another cart comes from the other side.',
      '',
      'for cart in waiting:',
      '    if cart.width <= limit:',
      '        count = count + 1',
    ],
  ],
])('a listing %s stays code', (_, listing) => {
  expect(new Set(read(listing).map(({ type }) => type))).toEqual(new Set(['code']));
});
