/** Tests words that are divided at line ends with the hyphen of Unicode, as WeasyPrint writes it. */
import { expect, it } from 'vitest';
import { withWholeWords } from './line-hyphens.ts';
import { flowedText } from './page-lines.ts';
import { wordAt } from './test-words.ts';

it('joins a word that the hyphen U+2010 divides', () => {
  expect(withWholeWords('We dis\u2010\ncussed it.')).toBe('We discussed\nit.');
  const lines = ['dis\u2010', 'cussed'].map((text, at) => ({
    words: [wordAt(text, 0, at * 12, 30)],
  }));
  expect(flowedText(lines)).toBe('discussed');
});

it('keeps the hyphen U+2010 within a line, and before a capital letter', () => {
  expect(withWholeWords('well\u2010known')).toBe('well\u2010known');
  expect(withWholeWords('Anglo\u2010\nSaxon')).toBe('Anglo\u2010\nSaxon');
});
