/** Finds runs of consecutive rows that may form a table. */
import { heightOf, overlaps } from './boxes.ts';
import { fontSizeOf, type Line } from './page-lines.ts';
import { MIN_ROWS, type Row } from './table-grid.ts';

/** The maximum distance between rows, in row heights. */
export const ROW_GAP = 2.2;
/** The maximum average number of words in a table cell. Lines of prose in columns have more words. */
export const MAX_WORDS_PER_CELL = 5;
/** The maximum number of words in a single cell of one line. */
const MAX_WORDS_OF_CELL = MAX_WORDS_PER_CELL * 2;
/** The maximum number of words on one line of a cell with several lines. */
const MAX_WORDS_PER_LINE = 20;
/** The minimum number of words per line of prose in columns. */
const MIN_WORDS_PER_LINE = 4;
/** The maximum number of rows above a line that are searched for the cell that the line continues. */
const MAX_ROWS_ABOVE = 100;
/** The maximum ratio of the font size of a cell to the row above it. Larger text is a heading. */
const MAX_SIZE_RATIO = 1.12;

/**
 * Returns the longest runs of rows that may form a table. With `isWrapped`, cells may be long, and a row may continue
 * any earlier row.
 */
export function runsOf(rows: readonly Row[], isWrapped = false): Row[][] {
  const runs: Row[][] = [];
  let run: Row[] = [];
  const close = () => {
    while (!isWrapped && run.length > 0 && run.at(-1)!.cells.length < 2) run.pop();
    if (run.filter(({ cells }) => cells.length > 1).length >= MIN_ROWS) runs.push(run);
    run = [];
  };
  for (const row of rows) {
    const before = run.at(-1);
    const isNear = before && row.top - before.bottom < ROW_GAP * heightOf(row);
    const isOther =
      before && (changesKind(before, row) || (isWrapped && isHeadingBelow(before, row)));
    if (before && (!isNear || isOther)) close();
    const isFull = row.cells.length > 1 && (isWrapped || row.cells.every(isShortCell));
    const isContinuation = isShort(row, isWrapped) && continuesRun(run, row, isWrapped);
    if (isFull || isContinuation) run.push(row);
    else close();
  }
  close();
  return runs;
}

/**
 * Whether one row is prose in columns and the other belongs to a table. In that case, most cells of the prose span
 * several cells of the table.
 */
function changesKind(before: Row, row: Row): boolean {
  const [prose, other] = wordsPerCell(before) > wordsPerCell(row) ? [before, row] : [row, before];
  if (wordsPerCell(prose) < MIN_WORDS_PER_LINE || other.cells.length < 2) return false;
  const spanning = prose.cells.filter(
    (cell) =>
      other.cells.filter(({ left, right }) => cell.left < right && left < cell.right).length > 1,
  );
  return spanning.length * 2 >= prose.cells.length;
}

/** Whether a row is larger text below a table. */
const isHeadingBelow = (before: Row, { cells: [only, second] }: Row): boolean =>
  !second && fontSizeOf(only!) > Math.max(...before.cells.map(fontSizeOf)) * MAX_SIZE_RATIO;

const wordsPerCell = ({ cells }: Row) =>
  cells.reduce((sum, { words }) => sum + words.length, 0) / cells.length;

const isLineOfCell = ({ words }: Line) => words.length <= MAX_WORDS_PER_LINE;
const isShortCell = ({ words }: Line) => words.length <= MAX_WORDS_OF_CELL;
const isShort = ({ cells }: Row, isWrapped: boolean) =>
  cells.length === 1 && (isWrapped ? isLineOfCell(cells[0]!) : isShortCell(cells[0]!));

/**
 * Whether the only cell of a row lies below a cell of the last full row, or to the left of that row. In a wrapped table,
 * this may be any full row. Searches a limited number of rows.
 */
function continuesRun(run: readonly Row[], row: Row, isWrapped: boolean): boolean {
  const isAbove = (other: Row) => other.cells.length > 1 && continuesColumn(other, row);
  const above = run.slice(-MAX_ROWS_ABOVE);
  if (isWrapped) return above.some((other) => isAbove(other) || isBeside(other, row));
  const last = above.findLast(({ cells }) => cells.length > 1);
  return last !== undefined && (isAbove(last) || isBeside(last, row));
}

/**
 * Whether the only cell of a row is to the left of all cells of a full row, because its column has no heading. It may be
 * the label of a group of rows.
 */
const isBeside = ({ cells, left }: Row, { right }: Row): boolean =>
  cells.length > 1 && right < left;

/** Whether the only cell of a row lies below exactly one cell of a full row. */
const continuesColumn = (full: Row, { cells: [only] }: Row): boolean =>
  full.cells.filter((cell) => overlaps(cell, only!)).length === 1;
