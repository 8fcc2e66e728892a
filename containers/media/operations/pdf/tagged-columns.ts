/** Uses the positions of a tagged table's cells to determine its columns if the structure tree lacks cells. */
import type { Box } from '../../pdf/page-space.ts';
import { extend } from './boxes.ts';

/** A cell with text. */
export interface PlacedCell extends Box {
  /** The number of columns that the cell spans. */
  span: number;
  /** The identifiers of the headers of the cell's column, or of the cell itself if it is such a header. */
  headers: string[];
}

interface Column extends Box {
  headers: Set<string>;
}

/** The maximum number of columns. In tables with more columns, empty cells are omitted. */
export const MAX_COLUMNS = 200;
/** The maximum amount, in points, by which the cells of adjacent columns overlap. */
export const MAX_OVERLAP = 1;

/**
 * Returns the column of each cell, by row. Returns undefined if a cell is in no column, if two cells of a row would be
 * in the same column or not in their logical order, or if there are too many columns.
 */
export function columnsByPosition(
  rows: readonly (readonly PlacedCell[])[],
): number[][] | undefined {
  const upright = isRightToLeft(rows) ? rows.map((row) => row.map(mirrored)) : rows;
  const columns = columnsIn(upright);
  if (columns.length > MAX_COLUMNS) return undefined;
  const placed = upright.map((row) => placedRow(row, columns));
  const isOrdered = placed.every((row) =>
    row.every((column, at) => column >= 0 && (at === 0 || column > row[at - 1]!)),
  );
  return isOrdered ? placed : undefined;
}

const mirrored = (cell: PlacedCell): PlacedCell => ({
  ...cell,
  left: -cell.right,
  right: -cell.left,
});

function isRightToLeft(rows: readonly (readonly PlacedCell[])[]): boolean {
  const steps = rows.flatMap((row) => row.slice(1).map((cell, at) => cell.left - row[at]!.left));
  return steps.filter((step) => step < 0).length * 2 > steps.length;
}

const isUnder = (column: Box, cell: Box) =>
  Math.min(column.right, cell.right) - Math.max(column.left, cell.left) > MAX_OVERLAP;

/** Returns the columns from left to right. Starts with the rows that have the most cells. */
function columnsIn(rows: readonly (readonly PlacedCell[])[]): Column[] {
  const columns: Column[] = [];
  for (const row of rows.toSorted((a, b) => b.length - a.length)) {
    for (const cell of row) if (cell.span === 1) addToColumn(columns, cell);
  }
  return columns.sort((a, b) => a.left - b.left);
}

/** Adds a cell to the column at its position or with its header. Otherwise, adds a column. */
function addToColumn(columns: Column[], cell: PlacedCell): void {
  if (columns.length > MAX_COLUMNS) return;
  const under = columns.filter((column) => isUnder(column, cell));
  // The structure tree can lack the span of a cell, which must not join columns.
  if (under.length > 1) return;
  const column =
    under[0] ?? columns.find((one) => hasHeaderOf(one, cell) && isFree(columns, one, cell));
  if (column) {
    extend(column, cell);
    for (const header of cell.headers) column.headers.add(header);
  } else {
    const { left, right, top, bottom } = cell;
    columns.push({ left, right, top, bottom, headers: new Set(cell.headers) });
  }
}

const hasHeaderOf = (column: Column, cell: PlacedCell) =>
  cell.headers.some((header) => column.headers.has(header));

/** Whether no other column is between a column and a cell. */
function isFree(columns: readonly Column[], column: Column, cell: PlacedCell): boolean {
  const left = Math.min(column.left, cell.left);
  const right = Math.max(column.right, cell.right);
  return columns.every((other) => other === column || other.left >= right || other.right <= left);
}

/** Returns the column of each cell in a row. Cells that span columns are placed between the other cells. */
function placedRow(row: readonly PlacedCell[], columns: readonly Column[]): number[] {
  const placed = row.map((cell) =>
    cell.span === 1 ? columns.findIndex((column) => isUnder(column, cell)) : -1,
  );
  const following = columnsAfter(placed, columns.length);
  let first = 0;
  for (const [at, { span, ...cell }] of row.entries()) {
    if (span > 1) {
      const next = following[at]!;
      placed[at] = nearest(cell, columns, first, Math.max(first, next - span), span);
    }
    first = placed[at]! + span;
  }
  return placed;
}

/** Returns, for each cell, the column of the next cell that has one, or `end`. */
function columnsAfter(placed: readonly number[], end: number): number[] {
  let next = end;
  return placed
    .toReversed()
    .map((column) => {
      const after = next;
      if (column >= 0) next = column;
      return after;
    })
    .reverse();
}

/** Returns the first of the `span` columns, from `first` to at most `last`, that are centered at a cell. */
function nearest(
  cell: Box,
  columns: readonly Column[],
  first: number,
  last: number,
  span: number,
): number {
  let best = first;
  let least = Number.POSITIVE_INFINITY;
  for (let at = first; at <= last && at < columns.length; at += 1) {
    const end = columns[Math.min(columns.length, at + span) - 1]!;
    const distance = Math.abs(columns[at]!.left + end.right - cell.left - cell.right);
    if (distance < least) [best, least] = [at, distance];
  }
  return best;
}
