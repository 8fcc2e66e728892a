/** Finds the horizontal lines of a page, the tables that they cross, and the lines of text that they divide. */
import type { Box } from '../../pdf/page-space.ts';
import { grouped } from './boxes.ts';

/** The maximum distance in points between parts of one line, and by which a dividing line is shorter than text. */
const TOUCHING = 2;
/** The minimum number of lines across a table whose columns belong together. */
const MIN_LINES = 3;
/** The maximum distance in points by which such a line is shorter than the table, or is outside it. */
const MAX_GAP = 6;

/** Returns the horizontal lines. Joins the parts of a line, because programs often draw one part for each cell. */
export function horizontalLines(rules: readonly Box[]): Box[] {
  const horizontal = rules.filter(({ left, right, top, bottom }) => right - left > bottom - top);
  const levels = Map.groupBy(horizontal, ({ top, bottom }) => Math.round(top + bottom));
  return [...levels.values()].flatMap((level) =>
    grouped(
      level.sort((a, b) => a.left - b.left),
      (line, part) => part.left < line.right + TOUCHING,
    ),
  );
}

/** Whether several lines cross all columns of a table, so that the columns belong together in any reading order. */
export function isCrossed(table: Box, lines: readonly Box[]): boolean {
  const crossing = lines.filter(
    (line) =>
      line.left < table.left + MAX_GAP &&
      line.right > table.right - MAX_GAP &&
      line.top > table.top - MAX_GAP &&
      line.bottom < table.bottom + MAX_GAP,
  );
  return crossing.length >= MIN_LINES;
}

/** The minimum length in points of a line that divides paragraphs. The line of a fraction is shorter. */
const MIN_LENGTH = 100;
/** The maximum number of dividing lines, each of which is compared with each line of text. */
const MAX_LINES = 300;
/**
 * The minimum distance in points by which a dividing line is longer than the text before it, which may be underlined.
 */
const MIN_EXCESS = 10;

/** Returns a function that checks whether a horizontal line divides two lines of text, as in a form. */
export function dividedBy(lines: readonly Box[]): (before: Box, text: Box) => boolean {
  const dividers = lines
    .filter(({ left, right }) => right - left >= MIN_LENGTH)
    .slice(0, MAX_LINES);
  return (before, text) =>
    dividers.some(
      (line) =>
        line.top > middleOf(before) &&
        line.bottom < middleOf(text) &&
        line.right - line.left > before.right - before.left + MIN_EXCESS &&
        line.left < Math.min(before.left, text.left) + TOUCHING &&
        line.right > Math.max(before.right, text.right) - TOUCHING,
    );
}

const middleOf = ({ top, bottom }: Box) => (top + bottom) / 2;
