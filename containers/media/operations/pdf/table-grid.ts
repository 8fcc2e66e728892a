/** Determines the columns of an untagged table from its rows, and assigns the cells to them. */
import { firstIndex } from '../../pdf/first-index.ts';
import type { Box } from '../../pdf/page-space.ts';
import { overlaps } from './boxes.ts';
import { type Column, dividedRow } from './divided-row.ts';
import { type Line, textOf } from './page-lines.ts';

export const MIN_ROWS = 3;
/**
 * If the columns are determined from the rows with the most cells, at least this share of the rows must have that many
 * cells.
 */
const MIN_COMPLETE = 0.6;
/** The minimum share of rows with at most one cell in each column. */
const MIN_FITTING = 0.8;
/** The minimum share of rows that must cover a column. A single cell that spans several columns must not join them. */
const MIN_COVERED = 0.12;

export interface Row extends Box {
  cells: Line[];
}

interface Grid {
  columns: Column[];
  rows: Row[];
}

/**
 * Returns the columns and rows of a table. `full` contains the rows of the run that have several cells. Returns
 * undefined if the rows cannot be divided into columns.
 */
export const gridIn = (run: readonly Row[], full: readonly Row[]): Grid | undefined =>
  gridOf(run, full) ?? gridBelowHeadings(run, full) ?? gridBelowSpans(run, full);

/**
 * Determines the columns from the rows in `sample`, and divides cells that run together. Returns undefined if the rows
 * do not fit the columns.
 */
function gridOf(run: readonly Row[], sample: readonly Row[]): Grid | undefined {
  const columns = withHeadings(columnsOf(sample), sample);
  if (columns.length < 2) return undefined;
  const rows = run.map((row) =>
    row.cells.length > 1 ? (dividedAtColumns(row, columns) ?? row) : row,
  );
  const full = rows.filter(({ cells }) => cells.length > 1);
  const fits = full.filter((row) => isInColumns(row, columns)).length;
  return fits < full.length * MIN_FITTING ? undefined : { columns, rows };
}

/**
 * Divides the cells of a row that has fewer cells than the table has columns. Returns undefined for other rows, and for
 * words that do not fit the columns.
 */
export function dividedAtColumns(row: Row, columns: readonly Column[]): Row | undefined {
  if (row.cells.length >= columns.length) return undefined;
  const cells = dividedRow(
    row.cells.flatMap(({ words }) => words),
    columns,
  );
  return cells && { ...row, cells };
}

/**
 * Determines the columns from the rows with the most cells. In a small table, headings that run together would join
 * columns. Returns undefined unless most rows have the same number of cells and the headings fit the columns.
 */
function gridBelowHeadings(run: readonly Row[], full: readonly Row[]): Grid | undefined {
  const most = Math.max(...full.map(({ cells }) => cells.length));
  const complete = full.filter(({ cells }) => cells.length === most);
  if (complete.length < Math.max(MIN_ROWS, full.length * MIN_COMPLETE)) return undefined;
  const grid = gridOf(run, complete);
  return grid && grid.rows[0]!.cells.length > run[0]!.cells.length ? grid : undefined;
}

/**
 * Determines the columns from the rows below the first one, whose headings may span several columns. In a small table,
 * such a heading would join them.
 */
function gridBelowSpans(run: readonly Row[], full: readonly Row[]): Grid | undefined {
  const [first, ...others] = full;
  if (others.length < MIN_ROWS || others.some(({ cells }) => cells.length <= first!.cells.length)) {
    return undefined;
  }
  return gridOf(run, others);
}

/**
 * Joins each column that contains only a heading with the column beside it, which has none. Headings are often at the
 * left edges of columns whose numbers are at the right edges. Changes nothing unless all columns then have headings,
 * except the first one, which may have no heading.
 */
function withHeadings(columns: Column[], [head, ...body]: readonly Row[]): Column[] {
  const used = (rows: readonly Row[]) =>
    new Set(rows.flatMap(({ cells }) => cells.map((cell) => columnOf(cell, columns))));
  const [headings, others] = [used(head ? [head] : []), used(body)];
  const joined: Column[] = [];
  /**
   * The part that the previous column lacks. Undefined if that column has both parts or was joined with the one before.
   */
  let lacked: 'heading' | 'body' | undefined;
  for (const [at, column] of columns.entries()) {
    const lacks = headings.has(at) ? (others.has(at) ? undefined : 'body') : 'heading';
    const isComplement = lacked !== undefined && lacks !== undefined && lacks !== lacked;
    // The first column may have no heading, so the heading in the second column need not be its heading.
    const isPart = isComplement && !(at === 1 && lacks === 'body');
    if (isPart) joined.at(-1)!.right = column.right;
    else joined.push({ ...column });
    lacked = isPart ? undefined : lacks;
  }
  return joined.length <= headings.size + 1 ? joined : columns;
}

/** Returns the text of each cell, by row. */
export function cellTexts(run: readonly Row[], columns: readonly Column[]): string[][] {
  const rows: string[][] = [];
  for (const row of run) {
    const texts = columns.map(() => '');
    const isOfOther = (cell: Line, at: number) =>
      !overlaps(cell, columns[at]!) && overlaps(cell, columns[columnOf(cell, columns)]!);
    const isComplete = row.cells.length === columns.length && !row.cells.some(isOfOther);
    for (const [index, cell] of row.cells.entries()) {
      const at = isComplete ? index : columnOf(cell, columns);
      texts[at] = texts[at] ? `${texts[at]} ${textOf(cell)}` : textOf(cell);
    }
    const above = rows.at(-1);
    // A line that continues the cells above it has no cell in the first column.
    const isContinuation = above && row.cells.length < columns.length && texts[0] === '';
    if (isContinuation && row.cells.length === 1) {
      for (const [at, text] of texts.entries()) if (text) above[at] = `${above[at]} ${text}`.trim();
    } else rows.push(texts);
  }
  return rows;
}

/**
 * Whether every column shares a row with another one, directly or through further columns. Otherwise, the columns
 * belong to different tables whose rows are at different heights.
 */
export function areColumnsLinked(rows: readonly (readonly string[])[]): boolean {
  const groups = new Map<number, number>();
  const groupOf = (column: number) => groups.get(column) ?? column;
  for (const row of rows) {
    const filled = row.flatMap((text, column) => (text === '' ? [] : [column]));
    const joined = new Set(filled.map(groupOf));
    const [group = 0] = joined;
    for (const column of row.keys()) if (joined.has(groupOf(column))) groups.set(column, group);
  }
  const used = [...(rows[0] ?? []).keys()].filter((column) => rows.some((row) => row[column]));
  return new Set(used.map(groupOf)).size <= 1;
}

/**
 * Whether the heading of the first column may be in the second column, which has no other text. A heading that is
 * centered above a wide column is not above the short cells of this column.
 */
export const hasMovedHeading = ([head, ...rows]: readonly (readonly string[])[]): boolean =>
  head?.[0] === '' && head[1] !== '' && rows.every((row) => row[1] === '');

/** Returns the columns from left to right. They are the horizontal intervals that the cells of enough rows cover. */
function columnsOf(rows: readonly Row[]): Column[] {
  const edges = rows.flatMap(({ cells }) =>
    cells.flatMap(({ left, right }) => [
      { at: left, step: 1 },
      { at: right, step: -1 },
    ]),
  );
  edges.sort((a, b) => a.at - b.at || b.step - a.step);
  const minimum = Math.max(1, Math.ceil(rows.length * MIN_COVERED));
  const columns: Column[] = [];
  let open = 0;
  for (const { at, step } of edges) {
    const before = open;
    open += step;
    if (before < minimum && open >= minimum) columns.push({ left: at, right: at });
    else if (before >= minimum && open < minimum) columns.at(-1)!.right = at;
  }
  return columns;
}

/**
 * Returns the index of the column that shares the most width with the cell, or else of the nearest column. Columns are
 * ordered and do not overlap.
 */
function columnOf(cell: Box, columns: readonly Column[]): number {
  const first = firstIndex(columns.length - 1, (at) => columns[at]!.right > cell.left);
  let best = 0;
  let widest = Number.NEGATIVE_INFINITY;
  // A table may have thousands of columns, so only those at the cell and the ones beside them are compared.
  for (let at = Math.max(0, first - 1); at < columns.length; at += 1) {
    const { left, right } = columns[at]!;
    const shared = Math.min(cell.right, right) - Math.max(cell.left, left);
    if (shared > widest) [best, widest] = [at, shared];
    if (left > cell.right) break;
  }
  return best;
}

/** Whether the cells of a row are in different columns. */
const isInColumns = (row: Row, columns: readonly Column[]) =>
  new Set(row.cells.map((cell) => columnOf(cell, columns))).size === row.cells.length;
