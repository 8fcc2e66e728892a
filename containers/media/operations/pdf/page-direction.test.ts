import { expect, it } from 'vitest';
import { markdown } from './markdown.ts';
import { blocksInDirection, verticalWords } from './page-direction.ts';
import { verticalLine, wordAt } from './test-words.ts';

const WIDTH = 600;
const drawing = { width: WIDTH, rules: [], shapes: [] } as never;

it('reads vertical lines from right to left, and level text above and below them', () => {
  const words = [
    ...verticalLine('吾輩は猫である名前はまだ', 500, 100),
    ...verticalLine('無いと言う。', 480, 100),
    ...verticalLine('次の段落。', 420, 100),
    wordAt('Page', 300, 700, 20),
  ];
  const vertical = verticalWords(words, false);
  expect(vertical.size).toBe(words.length - 1);
  const blocks = blocksInDirection(words, { vertical, isMirrored: false }, drawing, false);
  expect(markdown(blocks, 1)).toBe('吾輩は猫である名前はまだ無いと言う。\n\n次の段落。\n\nPage');
  expect(blocks[0]).toMatchObject({ left: 480, top: 100, right: 510, bottom: 220 });
});

it('verticalWords finds no vertical lines in level text and in columns of single characters', () => {
  const level = ['か', '吾輩は猫である。', '名前はまだ無い。', 'どこで生れたか', 'とんと見当が'];
  expect(verticalWords(rows(level, 12), false).size).toBe(0);
  expect(verticalWords(rows([...'男女男女男女男女男女男女'], 30), false).size).toBe(0);
});

const rows = (texts: readonly string[], step: number) =>
  texts.map((text, at) => wordAt(text, 100, 100 + at * step, text.length * 10));

it('reads lists and tables of right-to-left pages', () => {
  const words = [
    ...['.1', '.2', '.3'].flatMap((label, at) => [
      wordAt('שלום', 510, 100 + at * 14, 28),
      wordAt(label, 542, 100 + at * 14, 8),
    ]),
    ...['א', 'ב', 'ג'].flatMap((name, at) => [
      wordAt(`${at}0%`, 200, 300 + at * 14, 20),
      wordAt(`${name}${name}${name}`, 500, 300 + at * 14, 28),
    ]),
  ];
  const blocks = blocksInDirection(
    words,
    { vertical: new Set(), isMirrored: true },
    drawing,
    false,
  );
  expect(markdown(blocks, 1)).toBe(
    '1. שלום\n2. שלום\n3. שלום\n\n| אאא | 00% |\n| --- | --- |\n| בבב | 10% |\n| גגג | 20% |',
  );
  expect(blocks[0]).toMatchObject({ left: 510, right: 550 });
});

it('reads a line of a right-to-left page that is mostly a name', () => {
  const words = ['.Corp', 'Acme', 'שלום'].map((text, at) => wordAt(text, 400 + at * 40, 100, 36));
  const direction = { vertical: new Set<number>(), isMirrored: true };
  expect(markdown(blocksInDirection(words, direction, drawing, false), 1)).toBe('שלום Corp Acme.');
});
