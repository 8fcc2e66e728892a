import { expect, it } from 'vitest';
import { withRubyText } from './ruby-text.ts';
import { wordAt } from './test-words.ts';

const small = (text: string, left: number, top: number) => {
  const word = wordAt(text, left, top, text.length * 5);
  return { ...word, bottom: top + 5 };
};

it('writes ruby text after the characters below it', () => {
  const words = [
    wordAt('す。漢字には付ける', 100, 106, 90),
    small('か', 121, 100),
    small('ん', 127, 100),
    small('じ', 133, 100),
    small('つ', 162.5, 100),
  ];
  expect(withRubyText(words).map(({ text }) => text)).toEqual([
    'す。漢字（かんじ）には付（つ）ける',
  ]);
});

it('writes ruby text after single characters, as in vertical text', () => {
  const words = ['見', '当', 'が'].map((text, at) => wordAt(text, 100 + at * 10, 106, 10));
  const texts = withRubyText([...words, small('けんとう', 100, 100)]).map(({ text }) => text);
  expect(texts).toEqual(['見', '当（けんとう）', 'が']);
});

it('keeps small text that is not above Chinese characters', () => {
  const words = [wordAt('漢字', 100, 106, 20), small('ルビ', 150, 100), small('ルビ', 100, 60)];
  expect(withRubyText(words)).toEqual(words);
});
