import { expect, it } from 'vitest';
import { withSeparateNumbers } from './close-numbers.ts';
import { markdown } from './markdown.ts';
import { untaggedBlocks } from './page-blocks.ts';
import { wordAt } from './test-words.ts';

const lineOf = (text: string, top = 0) => {
  const words = [wordAt(text, 0, top, 5 * text.length)];
  return { ...words[0]!, words };
};

it('untaggedBlocks separates the number of an item from text that begins directly after it', () => {
  const words = [
    ...[wordAt('9.', 0, 0, 10), wordAt('Nine', 18, 0, 20)],
    ...[wordAt('10.Ten', 0, 12, 38), wordAt('items', 42, 12, 25)],
    ...[wordAt('11.Eleven', 0, 24, 53)],
  ];
  expect(markdown(untaggedBlocks(words), 1)).toBe('9. Nine\n10. Ten items\n11. Eleven');
});

it('withSeparateNumbers separates only the next number', () => {
  const lines = ['9.', '10.5', '12.May', '10.Mai', '(10)x'].map((text) => lineOf(text));
  const texts = withSeparateNumbers(lines).map(({ words }) => words.map(({ text }) => text));
  expect(texts).toEqual([['9.'], ['10.5'], ['12.May'], ['10.', 'Mai'], ['(10)x']]);
});
