import { expect, it } from 'vitest';
import { IDENTITY } from '../../pdf/page-space.ts';
import type { TextLine } from './hocr.ts';
import { recognizedWords } from './recognized-words.ts';

const SIZE = 40;

/** Returns a line whose letters are 20 pixels wide. */
function line(text: string, x: number, y: number, size = SIZE, confidence = 1): TextLine {
  let left = x;
  const words = text.split(' ').map((word) => {
    const width = word.length * 20;
    left += width + 20;
    return { text: word, confidence, isJoined: false, x: left - width - 20, y, width, height: 30 };
  });
  const baseline = { angle: 0 as const, slope: 0, offset: -10, size, descenders: 10 };
  return { x, y, width: left - x, height: size, words, ...baseline };
}

/** Returns the words of a page at 144 dpi. */
function wordsOf(lines: TextLine[]) {
  const page = { lines, toPage: IDENTITY, width: 1000, height: 1400 };
  return recognizedWords([page], [2])[0]!.words;
}

const textsOf = (lines: TextLine[]) => wordsOf(lines).map(({ text }) => text);
const sizesOf = (lines: TextLine[]) => wordsOf(lines).map(({ size }) => size);

it('returns boxes in points with the height of the font', () => {
  const [word] = wordsOf([line('Text', 100, 200)]);
  expect(word).toMatchObject({ text: 'Text', left: 50, right: 90, bottom: 120, size: 22 });
  expect(word!.top).toBeCloseTo(98);
});

it('gives lines in the same font the same size', () => {
  const sizes = sizesOf([
    line('Title', 100, 100, 62),
    line('Some', 100, 200, 41),
    line('text', 100, 260, 39),
    line('here', 100, 320, 40),
  ]);
  expect(sizes).toEqual([62 * 0.55, 22, 22, 22].map((size) => expect.closeTo(size)));
});

it('gives lines with rules of a table and uncertain lines the usual size', () => {
  const lines = [line('Some', 100, 100), line('text', 100, 160), line('here', 100, 220)];
  expect(sizesOf([...lines, line('North |', 100, 300, 90)])).toEqual([22, 22, 22, 22]);
  expect(sizesOf([...lines, line('ui', 100, 300, 90, 0.4)])).toEqual([22, 22, 22, 22]);
});

it('divides words at the rules of a table', () => {
  const words = wordsOf([line('|East Carla |1,410|-1% |', 100, 100)]);
  expect(words.map(({ text }) => text)).toEqual(['East', 'Carla', '1,410', '-1%']);
  expect(words[0]!.left).toBe(60);
  expect(words[3]!.left - words[2]!.right).toBe(10);
});

it('restores bullets', () => {
  expect(
    textsOf([
      line('Two items:', 100, 100),
      line('e First', 160, 160),
      line('« Second item', 160, 220),
      line('continued', 200, 280),
      line('e Nested', 220, 340),
      line('The end', 100, 400),
    ]).join(' '),
  ).toBe('Two items: • First • Second item continued • Nested The end');
});

it.each([
  ['that is alone', [line('Text', 100, 100), line('e outros', 100, 160), line('fim', 100, 220)]],
  ['without an item', [line('e', 100, 100), line('e', 100, 160)]],
])('keeps a letter %s', (_, lines) => {
  expect(textsOf(lines)).not.toContain('•');
});
