/** Recognizes level lines of the columns of a page that resemble the rows of a table. */
import type { Box } from '../../pdf/page-space.ts';
import type { StyledWord } from './styled-words.ts';

/**
 * The maximum number of other words between the words of a table in reading order, as a fraction of the table's words.
 * If there are more, the table may consist of level lines of two columns, between which the rest of a column is read.
 */
const MAX_BETWEEN = 0.25;
/** The maximum number of places at which the words of a table are interrupted in reading order. */
const MAX_PIECES = 5;
/** The maximum distance between two lines of prose, in letter heights. */
const LINE_GAP = 0.7;

/**
 * Whether a table consists of lines that belong to the columns of a page.
 *
 * @param table the words of the table
 * @param words the words of the page in reading order
 * @param positions the index of each word in `words`
 */
export function isCutFromProse(
  table: ReadonlySet<StyledWord>,
  words: readonly StyledWord[],
  positions: ReadonlyMap<StyledWord, number>,
): boolean {
  const own = [...table].map((word) => positions.get(word)!).sort((a, b) => a - b);
  const between = own.at(-1)! - own[0]! + 1 - own.length;
  if (between <= own.length * MAX_BETWEEN) return false;
  const ends = own.filter((at) => words[at + 1] && !table.has(words[at + 1]!));
  return ends.length > MAX_PIECES || ends.some((at) => isBelow(words[at + 1]!, words[at]!));
}

/** Whether a word is on the next line of prose. */
function isBelow(word: Box, before: Box): boolean {
  const gap = word.top - before.bottom;
  const height = before.bottom - before.top;
  return word.left < before.right && Math.abs(gap) < LINE_GAP * height;
}
