/**
 * Divides table rows whose cells are as close together as words. In such a row, the spaces between the words of a cell
 * are drawn, but nothing is drawn between two cells.
 */
import type { Box } from '../../pdf/page-space.ts';
import { areAligned, around, grouped, heightOf } from './boxes.ts';
import type { Row } from './table-grid.ts';

/** The maximum distance, in letter heights, between the edges or centers of two cells of a column. */
const MAX_OFF = 0.12;
const MIN_ALIGNED = 2;
/** The maximum distance between rows, in row heights. */
const ROW_GAP = 1.5;

/** Divides the rows that are next to a row with more cells and have the same columns. */
export function withDividedRows(rows: readonly Row[]): Row[] {
  const divided = [...rows];
  const divide = (at: number, other: Row | undefined) => {
    const row = divided[at]!;
    if (other && areNear(row, other)) divided[at] = dividedLike(row, other) ?? row;
  };
  for (let at = 0; at < divided.length; at += 1) divide(at, divided[at - 1]);
  for (let at = divided.length - 1; at >= 0; at -= 1) divide(at, divided[at + 1]);
  return divided;
}

const areNear = (row: Box, other: Box) =>
  Math.max(row.top - other.bottom, other.top - row.bottom) < ROW_GAP * heightOf(row);

/**
 * Returns the row divided into the columns of the other row. Returns undefined unless at least two cells are aligned
 * with those of the other row and the rest are between the cells of the adjacent columns.
 */
function dividedLike(row: Row, other: Row): Row | undefined {
  if (row.cells.length >= other.cells.length) return undefined;
  const words = row.cells.flatMap((cell) => cell.words);
  const cells = grouped(words, (_, word) => word.isDetached !== true);
  if (cells.length !== other.cells.length) return undefined;
  const most = MAX_OFF * heightOf(row);
  const aligned = cells.filter((cell, at) => areAligned(cell, other.cells[at]!, most));
  const areBetween = cells.every(
    ({ left, right }, at) =>
      left > (other.cells[at - 1]?.right ?? Number.NEGATIVE_INFINITY) &&
      right < (other.cells[at + 1]?.left ?? Number.POSITIVE_INFINITY),
  );
  return aligned.length >= MIN_ALIGNED && areBetween
    ? { ...row, ...around(words), cells }
    : undefined;
}
