/** Separates diagonal text, such as a watermark or the labels of a chart, from the text that it crosses. */
import { around } from './boxes.ts';
import type { Block } from './page-blocks.ts';
import type { StyledWord } from './styled-words.ts';

/** Returns the words that are not diagonal. */
export const levelText = (words: StyledWord[]): StyledWord[] =>
  words.some(({ diagonal }) => diagonal) ? words.filter(({ diagonal }) => !diagonal) : words;

/** Returns a paragraph with all diagonal text, or nothing. poppler lists the letters of such text separately. */
export function diagonalBlocks(words: readonly StyledWord[]): Block[] {
  const found = words.filter(({ diagonal }) => diagonal);
  if (found.length === 0) return [];
  const lines = [...Map.groupBy(found, lineOf).values()].map((own) => ({
    ...around(own),
    words: own.sort((a, b) => along(a) - along(b)),
  }));
  return [{ ...around(lines), type: 'paragraph', lines }];
}

/** Returns a key that the letters of a line share, even if each of them is drawn separately. */
function lineOf(word: StyledWord): string {
  const { direction: [x, y] = [1, 0], size } = word.diagonal!;
  const offset = (word.left + word.right) * y - (word.top + word.bottom) * x;
  return [x, y, offset / 2 / size].map((value) => Math.round(value * 2)).join(' ');
}

/** Returns the position of a word in its line. */
function along(word: StyledWord): number {
  const [x, y] = word.diagonal!.direction ?? [1, 0];
  return (word.left + word.right) * x + (word.top + word.bottom) * y;
}

export const isDiagonal = ({ lines }: Pick<Block, 'lines'>): boolean =>
  lines[0]?.words[0]?.diagonal !== undefined;
