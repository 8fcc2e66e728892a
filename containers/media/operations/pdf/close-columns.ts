/**
 * Finds the words that begin a table cell although the gap before them is as narrow as a space. In spreadsheets, a
 * right-aligned column of numbers may directly precede a left-aligned column of text.
 */
import type { Box } from '../../pdf/page-space.ts';
import { heightOf } from './boxes.ts';
import { levelWords } from './drawn-spaces.ts';
import type { StyledWord } from './styled-words.ts';

/** The minimum and maximum gap between such cells, in letter heights. */
const MIN_GAP = 0.1;
const MAX_GAP = 0.9;
/**
 * The minimum number of rows, and the minimum difference between the widths of the narrowest and the widest cell of a
 * column, in letter heights.
 */
const MIN_ROWS = 3;
const MIN_DIFFERENCE = 0.3;
/** The maximum distance between the tops of a heading and of the first row, in letter heights. */
const MAX_HEADING = 4;
/** The maximum number of gaps, each of which is compared with each word. */
const MAX_GAPS = 200;

/** A word and the word before it on its line. */
interface Pair {
  before: StyledWord;
  word: StyledWord;
}

/**
 * Returns the words with aligned left edges that follow words with aligned right edges. No other word is in the gap
 * between two such columns.
 */
export function closeStarts(words: readonly StyledWord[]): Set<StyledWord> {
  const lines = levelWords(words);
  const pairs = lines.flatMap(closePairs);
  const gaps = Map.groupBy(
    pairs,
    ({ before, word }) => `${Math.round(before.right)} ${Math.round(word.left)}`,
  );
  const aligned = [...gaps.values()].filter(
    (own) =>
      own.length >= MIN_ROWS &&
      haveDifferentWidths(own.map(({ before }) => before)) &&
      haveDifferentWidths(own.map(({ word }) => word)),
  );
  const found = aligned.slice(0, MAX_GAPS).filter((own) => isFree(own, words));
  const columns = found.map(columnOf);
  const begins = ({ left, top, bottom }: StyledWord) =>
    columns.some(
      (column) => column.left === Math.round(left) && top >= column.top && bottom <= column.bottom,
    );
  return new Set(pairs.flatMap(({ word }) => (begins(word) ? word : [])));
}

/** Returns the left edge of the words, and the vertical range that contains their rows and the heading above them. */
function columnOf(pairs: readonly Pair[]): Pick<Box, 'left' | 'top' | 'bottom'> {
  const [first, last] = [pairs[0]!.word, pairs.at(-1)!.word];
  const top = first.top - MAX_HEADING * heightOf(first);
  return { left: Math.round(first.left), top, bottom: last.bottom };
}

/** Whether no word crosses the middle of the gap between the columns, from the first pair to the last. */
function isFree(pairs: readonly Pair[], words: readonly StyledWord[]): boolean {
  const [first, last] = [pairs[0]!, pairs.at(-1)!];
  const middle = (first.before.right + first.word.left) / 2;
  return !words.some(
    ({ left, right, top, bottom }) =>
      left < middle && right > middle && top > first.word.top && bottom < last.word.bottom,
  );
}

function closePairs(line: readonly StyledWord[]): Pair[] {
  const ordered = line.toSorted((a, b) => a.left - b.left);
  return ordered.slice(1).flatMap((word, at) => {
    const before = ordered[at]!;
    const gap = (word.left - before.right) / heightOf(word);
    return gap > MIN_GAP && gap < MAX_GAP ? [{ before, word }] : [];
  });
}

function haveDifferentWidths(words: readonly StyledWord[]): boolean {
  const widths = words.map(({ left, right }) => right - left).sort((a, b) => a - b);
  return widths.at(-1)! - widths[0]! > MIN_DIFFERENCE * heightOf(words[0]!);
}
