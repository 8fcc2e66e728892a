import { describe, expect, it } from 'vitest';
import { wordsOfPages } from './bbox-words.ts';
import { rowsInReadingOrder, wordInReadingOrder, wordsInReadingOrder } from './right-to-left.ts';

const drawn = (text: string) => [...text].toReversed().join('');

/** Places words side by side, from left to right. */
const placed = (...texts: string[]) =>
  texts.map((text, at) => ({ text, left: at * 40, right: at * 40 + 30, top: 0, bottom: 10 }));

const texts = (words: readonly { text: string }[]) => words.map(({ text }) => text).join(' ');

describe('wordInReadingOrder', () => {
  it('reverses words of right-to-left scripts', () => {
    for (const word of ['כותרת', 'عنوان', '(עולם)', 'אח"כ']) {
      expect(wordInReadingOrder(drawn(word))).toBe(word);
    }
  });

  it('does not reverse words of other scripts and numbers', () => {
    for (const word of ['Hello', '12.50€', '(1)', 'é', '']) {
      expect(wordInReadingOrder(word)).toBe(word);
    }
    expect(wordInReadingOrder('2024-ב')).toBe('ב-2024');
    expect(wordInReadingOrder('API/REST-ו')).toBe('ו-API/REST');
  });

  it('leaves marks behind their letters', () => {
    expect(wordInReadingOrder('םוֹלשָׁ')).toBe('שָׁלוֹם');
  });
});

describe('wordsInReadingOrder', () => {
  it('reads a line from right to left, and the names in it from left to right', () => {
    const line = placed('במרכז', '456', 'New', 'York', 'גר', 'הוא');
    expect(texts(wordsInReadingOrder(line))).toBe('הוא גר New York 456 במרכז');
  });

  it('reads a quotation from right to left in a line from left to right', () => {
    const line = placed('The', 'words', 'עולם', 'שלום', 'are', 'a', 'greeting.');
    expect(texts(wordsInReadingOrder(line))).toBe('The words שלום עולם are a greeting.');
  });
});

it('reads the words that pdftotext lists in reading order', () => {
  const listed = `<page width="9" height="9"><word xMin="0" yMin="0" xMax="1" yMax="1">${drawn('ציטוט')}</word>`;
  expect(wordsOfPages(listed)[0]![0]!.text).toBe('ציטוט');
});

it('wordsInReadingOrder sorts a line whose symbols are drawn too late', () => {
  const [box, guest, of, honor] = placed('☐', 'Guest', 'of', 'honor');
  expect(texts(wordsInReadingOrder([guest!, box!]))).toBe('☐ Guest');
  expect(texts(wordsInReadingOrder([guest!, of!, honor!, box!]))).toBe('☐ Guest of honor');
  expect(texts(wordsInReadingOrder([of!, guest!]))).toBe('of Guest');
  expect(texts(wordsInReadingOrder([honor!, of!, guest!, box!]))).toBe('honor of Guest ☐');
});

it('rowsInReadingOrder begins with the right column if most texts are read from right to left', () => {
  const rows = [
    ['40%', 'שלום'],
    ['30%', 'עולם'],
  ];
  expect(rowsInReadingOrder(rows)).toEqual([
    ['שלום', '40%'],
    ['עולם', '30%'],
  ]);
  expect(rowsInReadingOrder([['Hello', 'שלום']])).toEqual([['Hello', 'שלום']]);
});
