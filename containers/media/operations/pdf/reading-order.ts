/**
 * Groups words into lines, and decides which of two word orders is the reading order of a page, based on the positions
 * of the words.
 */
import type { Box } from '../../pdf/page-space.ts';
import type { Word } from './bbox-words.ts';
import { extend, type Group, grouped, overlaps } from './boxes.ts';

/**
 * The minimum gap, in letter heights, that splits a line. Gaps between columns are wider, and gaps between words are
 * narrower.
 */
const GAP = 1.5;
/**
 * The cost of moving to the next cell of a row, as a fraction of the cost of a jump. It is low because a table may be
 * read by rows or by columns.
 */
const NEXT_CELL = 0.1;
/** The maximum number of words in a table cell. Lines of prose in columns have more words. */
const MAX_WORDS_PER_CELL = 3;
/**
 * Whether drawing order reads better than layout order. Layout order reads short columns of equal height as table rows.
 * Drawing order is the order in which the page's content was written.
 */
export const isDrawnInOrder = (found: readonly Word[], drawn: readonly Word[]): boolean =>
  jumpsIn(drawn) < jumpsIn(found);

/** Counts the jumps. A jump is a line that is beside or above the previous row instead of below it. */
function jumpsIn(words: readonly Word[]): number {
  let jumps = 0;
  let row: Group<Word> | undefined;
  for (const line of linesOf(words)) {
    if (row && isNextCell(row, line)) {
      jumps += NEXT_CELL;
      extend(row, line);
    } else {
      if (row && !(line.top > row.top && overlaps(line, row))) jumps += 1;
      row = line;
    }
  }
  return jumps;
}

/** Whether the line is to the right of the row at the same height, and either of them is short. */
function isNextCell(row: Group<Word>, line: Group<Word>): boolean {
  const middle = (line.top + line.bottom) / 2;
  const isLevel = middle > row.top && middle < row.bottom;
  const isShort = Math.min(row.words.length, line.words.length) <= MAX_WORDS_PER_CELL;
  return isLevel && isShort && line.left >= row.right;
}

/** Groups words into lines, in the given order. A word that does not continue the current line begins a new line. */
export const linesOf = <Each extends Box>(words: readonly Each[]): Group<Each>[] =>
  grouped(words, continues);

/** Whether the word continues the line, in either direction. */
function continues(line: Box, word: Box): boolean {
  const height = word.bottom - word.top;
  const middle = (word.top + word.bottom) / 2;
  const gap = Math.max(word.left - line.right, line.left - word.right);
  return middle > line.top && middle < line.bottom && gap > -height && gap < GAP * height;
}
