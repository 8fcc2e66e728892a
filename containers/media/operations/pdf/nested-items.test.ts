/** Tests the indentation of nested lists in Markdown, and text that looks like an item. */
import { expect, it } from 'vitest';
import { markdown } from './markdown.ts';
import type { Block } from './page-blocks.ts';
import type { StyledWord } from './styled-words.ts';

/** Makes a block of one line. */
function block(text: string, level?: number): Block {
  const box = { left: 0, top: 0, right: 9, bottom: 9 };
  const words = text
    .split(' ')
    .map((word, at) => ({ ...box, left: at * 10, right: at * 10 + 9, size: 9, text: word }));
  const lines = [{ ...box, words: words as StyledWord[] }];
  return { ...box, type: level ? 'list item' : 'paragraph', lines, ...(level ? { level } : {}) };
}

it('indents items below the text of the items that contain them', () => {
  const items = [
    block('9. nine', 1),
    block('(1) one', 2),
    block('• bullet', 3),
    block('10. ten', 1),
    block('a) letter', 2),
    block('1. one', 3),
    block('11. eleven', 1),
    block('Text.'),
    block('2. two', 2),
    block('3. three', 3),
  ];
  expect(markdown(items, 1).split('\n')).toEqual([
    '9. nine',
    '   1. one',
    '      - bullet',
    '10. ten',
    '    - a) letter',
    '      1. one',
    '11. eleven',
    '',
    'Text.',
    '',
    '2. two',
    '   3. three',
  ]);
});

it('escapes a number that would begin a list', () => {
  expect(markdown([block('2024. That was a year.')], 1)).toBe('2024\\. That was a year.');
});

it('writes the bullets of symbol fonts as bullets', () => {
  expect(markdown([block('\ue00c one', 1), block('\uf0b7 two', 1)], 1)).toBe('- one\n- two');
});
