/** Separates diagonal text, such as a watermark or the labels of a chart, from the text that it crosses. */
import { around } from './boxes.ts';
import type { Block } from './page-blocks.ts';
import type { StyledWord } from './styled-words.ts';

/** Returns the words that are not diagonal. */
export const levelText = (words: StyledWord[]): StyledWord[] =>
  words.some(({ diagonal }) => diagonal) ? words.filter(({ diagonal }) => !diagonal) : words;

/** Returns a paragraph with all diagonal text, if any. poppler lists the letters of such text separately. */
export function diagonalBlocks(words: readonly StyledWord[]): Block[] {
  const lines = linesOf(words.filter(({ diagonal }) => diagonal).map(placed));
  if (lines.length === 0) return [];
  const blockLines = lines.map((own) => ({ ...around(own), words: own }));
  return [{ ...around(blockLines), type: 'paragraph', lines: blockLines }];
}

/** Directions are rounded to multiples of this share of a right angle before they are compared. */
const SAME_DIRECTION = 1 / 40;
/** The maximum distance between the baselines of letters in one line, as a share of the font size. */
const SAME_LINE = 0.25;

/** A word and its position in a coordinate system that is turned to its direction. */
interface PlacedWord {
  word: StyledWord;
  /** The position in the order of the words. */
  index: number;
  direction: number;
  /** The distance of the line from the origin. The letters of a line have almost the same distance. */
  offset: number;
  along: number;
}

function placed(word: StyledWord, index: number): PlacedWord {
  const span = word.diagonal!;
  const [x, y] = span.direction ?? [1, 0];
  return {
    word,
    index,
    direction: Math.round(Math.atan2(y, x) / (Math.PI / 2) / SAME_DIRECTION),
    offset: ((span.left + span.right) * y - (span.top + span.bottom) * x) / 2,
    along: (word.left + word.right) * x + (word.top + word.bottom) * y,
  };
}

/** Returns the lines in the order of their first words. */
function linesOf(words: readonly PlacedWord[]): StyledWord[][] {
  const sorted = words.toSorted((a, b) => a.direction - b.direction || a.offset - b.offset);
  const lines: PlacedWord[][] = [];
  for (const next of sorted) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    const isSame =
      before?.direction === next.direction &&
      next.offset - before.offset < next.word.diagonal!.size * SAME_LINE;
    if (line && isSame) line.push(next);
    else lines.push([next]);
  }
  const firstOf = (line: PlacedWord[]) =>
    line.reduce((least, { index }) => Math.min(least, index), Number.POSITIVE_INFINITY);
  return lines
    .map((line) => ({ line, first: firstOf(line) }))
    .sort((a, b) => a.first - b.first)
    .map(({ line }) => line.sort((a, b) => a.along - b.along).map(({ word }) => word));
}

export const isDiagonal = ({ lines }: Pick<Block, 'lines'>): boolean =>
  lines[0]?.words[0]?.diagonal !== undefined;
