import { expect, it } from 'vitest';
import { wordsInReadingOrder } from './right-to-left.ts';
import { readOppositeWords } from './right-to-left-lines.ts';
import { wordAt } from './test-words.ts';

/** Returns the text of a line whose words are drawn in this order from left to right. */
function read(isBackwards: boolean, ...texts: string[]): string {
  const words = texts.map((text, at) => wordAt(text, at * 40, 0, 36));
  readOppositeWords(words, isBackwards);
  return wordsInReadingOrder(words)
    .map(({ text }) => text)
    .join(' ');
}

it.each([
  ['a number', ['שלום', ',)20', '(עולם'], '(עולם 20), שלום'],
  ['a date', ['שלום', '.05/10/2021', 'עולם'], 'עולם 05/10/2021. שלום'],
  ['a label', ['שלום', '.1'], '1. שלום'],
  ['a negative number', ['שלום', '5-', 'עולם'], 'עולם -5 שלום'],
  ['a price and a share', ['.98.5%', '$15', 'עולם', 'שלום'], 'שלום עולם $15 98.5%.'],
  ['an Arabic share', ['.%98.5', 'النجاح', 'نسبة'], 'نسبة النجاح 98.5%.'],
  ['an address', ['.https://example.com/a', 'אתר', 'זה'], 'זה אתר https://example.com/a.'],
  ['a name', ['שלום', ',New', 'York', 'עולם', 'זה'], 'זה עולם New York, שלום'],
  ['a name and its number', ['.Windows', '11', 'עולם', 'שלום'], 'שלום עולם Windows 11.'],
  ['a name in brackets', ['(Acme)', 'עולם', 'שלום'], 'שלום עולם (Acme)'],
])('reads the punctuation after %s in a line from right to left', (_, line, text) => {
  expect(read(true, ...line)).toBe(text);
});

it('does not change lines from left to right', () => {
  expect(read(false, 'The', 'word', 'שלום', 'is', '(20),', '1.')).toBe('The word שלום is (20), 1.');
  expect(read(false, 'שלום', 'עולם', 'too.')).toContain('too.');
});
