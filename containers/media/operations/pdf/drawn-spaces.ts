/**
 * Finds the words that begin a table cell because no space is drawn before them. Programs such as Chromium draw the
 * spaces between the words of a cell, but nothing between two cells.
 */
import type { Box } from '../../pdf/page-space.ts';
import { areAligned, around, extend, type Group, grouped, heightOf } from './boxes.ts';
import type { StyledWord } from './styled-words.ts';

/** The minimum and maximum gap, in letter heights, between words that may be separated by a space. */
const MIN_GAP = 0.1;
const MAX_GAP = 0.9;
/** The maximum share of these gaps without a drawn space. Other programs place each word separately. */
const MAX_DETACHED = 0.2;
/** The maximum distance, in letter heights, between the edges or centers of two cells of a column. */
const MAX_OFF = 0.12;

interface Piece extends Group<StyledWord> {
  /** The distance to the previous word in letter heights, or infinity for the first word of a line. */
  gap: number;
}

/**
 * Returns the words that begin a cell although the gap before them is as narrow as a space. Such a cell must be aligned
 * with a cell after a wide gap, because programs may also omit the space at a change of font. Returns no words if
 * more than the share MAX_DETACHED of the page's spaces is not drawn.
 */
export function cellStarts(words: readonly StyledWord[]): Set<StyledWord> {
  let spaces = 0;
  const pieces = levelWords(words).flatMap((line) => {
    const own: Piece[] = [];
    for (const word of line.toSorted((a, b) => a.left - b.left)) {
      const before = own.at(-1);
      const gap = before ? (word.left - before.right) / heightOf(word) : Number.POSITIVE_INFINITY;
      const isClose = gap <= MAX_GAP;
      if (isClose && gap > MIN_GAP) spaces += 1;
      if (before && isClose && !(word.isDetached && gap > MIN_GAP)) {
        extend(before, word);
        before.words.push(word);
      } else own.push({ ...around([word]), words: [word], gap });
    }
    return own;
  });
  const close = pieces.filter(({ gap }) => gap <= MAX_GAP);
  if (close.length > spaces * MAX_DETACHED) return new Set();
  const apart = pieces.filter(({ gap }) => gap > MAX_GAP && Number.isFinite(gap));
  const starts = close.filter((piece) =>
    apart.some((other) => areAligned(piece, other, MAX_OFF * heightOf(piece))),
  );
  return new Set(starts.map((piece) => piece.words[0]!));
}

/** Groups words that are at the same height. */
export const levelWords = (words: readonly StyledWord[]): StyledWord[][] =>
  grouped(
    words.toSorted((a, b) => a.top + a.bottom - b.top - b.bottom),
    isLevel,
  ).map((row) => row.words);

/** Whether the center of a word is within a row of words that are not much larger. */
export function isLevel(row: Box, word: Box): boolean {
  const middle = (word.top + word.bottom) / 2;
  return middle < row.bottom && middle > row.top && heightOf(row) < 2.5 * heightOf(word);
}
