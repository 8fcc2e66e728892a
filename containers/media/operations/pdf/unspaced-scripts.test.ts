/** Tests lines, paragraphs and lists of scripts that do not separate words with spaces. */
import { expect, it } from 'vitest';
import { markdown } from './markdown.ts';
import { untaggedBlocks } from './page-blocks.ts';
import { flowedText } from './page-lines.ts';
import { wordAt } from './test-words.ts';

/** Returns lines of 10 points, `pitch` points apart, whose characters are 10 points wide. */
const lines = (texts: readonly string[], pitch: number) =>
  texts.map((text, at) => wordAt(text, 100, 100 + at * pitch, [...text].length * 10));

const read = (texts: readonly string[], pitch: number) =>
  markdown(untaggedBlocks(lines(texts, pitch)), 1);

it('flowedText adds no space between lines that end with a prolonged sound, a dash or a quotation mark', () => {
  for (const [before, text] of [
    ['サーバー', 'やユーザー'],
    ['他说“好的”', '然后走了'],
    ['他说', '“好的”'],
    ['เมื่อขึ้น', 'บรรทัดใหม่'],
  ] as const) {
    const parts = [before, text].map((part) => ({ words: lines([part], 0) }));
    expect(flowedText(parts)).toBe(before + text);
  }
  const korean = ['한국어는', '낱말'].map((part) => ({ words: lines([part], 0) }));
  expect(flowedText(korean)).toBe('한국어는 낱말');
});

it('separates characters by a gap that is as wide as a character', () => {
  const words = [wordAt('見本', 100, 0, 20), wordAt('五月', 130, 0, 20), wordAt('三', 156, 0, 10)];
  expect(flowedText([{ words }])).toBe('見本 五月三');
});

it('joins the lines of a paragraph that are far apart', () => {
  expect(read(['吾輩は猫である名前は', 'まだ無いどこで生れた', 'か。'], 20)).toBe(
    '吾輩は猫である名前はまだ無いどこで生れたか。',
  );
  expect(read(['短い行', '次の段落はもっと長い'], 20)).toBe('短い行\n\n次の段落はもっと長い');
});

it.each([
  ['1、准备', '2、执行', '3、确认'],
  ['①準備する', '②実行する', '③確認する'],
  ['（一）概述', '（二）范围', '（三）附则'],
])('separates the items of a list whose labels touch the text: %s', (...items) => {
  expect(read(items, 12)).toBe(items.map((item) => `- ${item}`).join('\n'));
});

it('writes a list with touching bullets', () => {
  expect(read(['・準備する', '・実行する'], 12)).toBe('- 準備する\n- 実行する');
});

it('joins a line that begins with a number within a sentence', () => {
  const text = ['方法には次のものがある', '①準備と確認を行うこと'];
  expect(read(text, 12)).toBe(text.join(''));
});

it.each([
  ['א.', 'ב.'],
  ['أ.', 'ب.'],
  ['가.', '나.'],
  ['а)', 'б)'],
  ['①', '②'],
])('writes the letters of items: %s', (first, second) => {
  const words = [first, second].flatMap((label, at) => [
    wordAt(label, 100, 100 + at * 12, 10),
    wordAt('abc', 120, 100 + at * 12, 30),
  ]);
  expect(markdown(untaggedBlocks(words), 1)).toBe(`- ${first} abc\n- ${second} abc`);
});

it('joins a line that begins with the last syllable of a Korean sentence', () => {
  const words = [
    wordAt('서비스는 파일을 저장합니', 100, 100, 130),
    wordAt('다.', 100, 112, 15),
    wordAt('그리고 하루 뒤에 지웁니다.', 120, 112, 110),
  ];
  expect(markdown(untaggedBlocks(words), 1)).toContain('저장합니 다. 그리고');
});

it('flowedText joins the parts of an Arabic word after a mark', () => {
  const words = [wordAt('قد', 100, 0, 10), wordAt('عُ', 111.5, 0, 5)];
  expect(flowedText([{ words }])).toBe('عُقد');
});
