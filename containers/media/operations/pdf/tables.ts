/** Finds tables on an untagged page. A table consists of rows of short cells whose edges align. */
import type { Box } from '../../pdf/page-space.ts';
import { around, grouped, heightOf, overlaps } from './boxes.ts';
import { closeStarts } from './close-columns.ts';
import { isCrossed } from './crossing-lines.ts';
import type { Column } from './divided-row.ts';
import { cellStarts, levelWords } from './drawn-spaces.ts';
import type { Line } from './page-lines.ts';
import { isCutFromProse } from './prose-columns.ts';
import type { StyledWord } from './styled-words.ts';
import {
  areColumnsLinked,
  divided,
  gridIn,
  hasMovedHeading,
  MIN_ROWS,
  type Row,
  textsOf,
} from './table-grid.ts';
import { withDividedRows } from './tight-rows.ts';
import { wrappedRows } from './wrapped-tables.ts';

export interface FoundTable extends Box {
  rows: string[][];
  words: Set<StyledWord>;
  /** Whether the cells of each row are at the same height. This is not the case if two tables are side by side. */
  isLevel: boolean;
}

/**
 * The maximum number of words on a page that is searched, because the search runs in quadratic time. A page of small
 * print has a few thousand words.
 */
const MAX_WORDS = 10_000;
/**
 * The minimum gap between cells, in letter heights, for tables without and with ruling lines. Spaces in prose are
 * narrower.
 */
const CELL_GAPS = [0.9, 0.45] as const;
/**
 * The minimum distance, in letter heights, by which the next column of a page begins above the last word of the
 * previous column.
 */
const COLUMN_JUMP = 8;
/** The maximum number of words in a table cell. Lines of prose in columns have more words. */
const MAX_WORDS_PER_CELL = 5;
/** The maximum number of words on one line of a cell with several lines. */
const MAX_WORDS_PER_LINE = 20;
/**
 * The maximum share of table cells that begin in lower case. In prose, the share is larger, because most lines begin in
 * the middle of a sentence.
 */
const MAX_LOWER_CASE = 0.35;
/** The minimum average number of words per cell of such prose. */
const MIN_WORDS_OF_PROSE = 2.5;
/** The maximum average number of words per cell of a table with two columns. */
const MAX_WORDS_OF_TWO = 3.5;
/** The maximum distance between rows, in row heights. */
const ROW_GAP = 2.2;
/** The minimum amount, in row heights, by which a gap at the end of a table exceeds the usual gap between rows. */
const DIVIDING_GAP = 0.25;
/** The maximum number of times that a run of rows is split. */
const MAX_DIVISIONS = 8;
/**
 * The minimum share of level rows in a level table. In a level row, the vertical centers of the cells differ by less
 * than MAX_UNLEVEL row heights.
 */
const MIN_LEVEL = 0.8;
const MAX_UNLEVEL = 0.1;
/** The minimum number of words per line of prose in columns. */
const MIN_WORDS_PER_LINE = 4;
/** The minimum share of rows with more than one cell. */
const MIN_FILLED = 0.6;

/**
 * Finds the tables of a page. Looks first for level tables across the page, then for tables within one column, then for
 * other tables, and finally for tables with the narrow gaps of ruled tables. `words` are in reading order, and `lines`
 * are the horizontal lines that the page draws.
 */
export function findTables(words: readonly StyledWord[], lines: readonly Box[] = []): FoundTable[] {
  if (words.length > MAX_WORDS) return [];
  const positions = new Map(words.map((word, at) => [word, at]));
  const found: FoundTable[] = [];
  const add = (tables: readonly FoundTable[]) =>
    found.push(
      ...tables.filter(
        (table) => isCrossed(table, lines) || !isCutFromProse(table.words, words, positions),
      ),
    );
  const left = () => words.filter((word) => !found.some((table) => table.words.has(word)));
  const detached = cellStarts(words);
  const starts = detached.union(closeStarts(words));
  const tablesAmong = (some: readonly StyledWord[], gap: number) =>
    tablesAmongRows(withDividedRows(rowsOf(some, gap, starts)));
  add(tablesAmongRuns(runsOf(rowsOf(words, CELL_GAPS[0], starts), true), detached.size > 0));
  for (const gap of CELL_GAPS) {
    add(tablesAmong(left(), gap).filter(({ isLevel }) => isLevel));
    for (const column of pageColumns(left())) add(tablesAmong(column, gap));
    add(tablesAmong(left(), gap));
  }
  return found;
}

/** Returns the tables in which cells can have several lines. */
const tablesAmongRuns = (runs: readonly Row[][], areDivided: boolean): FoundTable[] =>
  runs.flatMap((run) => {
    const cells = run.flatMap((row) => row.cells);
    const table = wrappedRows(cells, areDivided);
    return table
      ? { ...around(table.words), ...table, words: new Set(table.words), isLevel: true }
      : [];
  });

const tablesAmongRows = (rows: readonly Row[]): FoundTable[] =>
  runsOf(rows).flatMap((run) => tablesIn(run, rows, MAX_DIVISIONS));

/** Splits the words into the columns of the page. A new column begins at a word that is far above the previous one. */
function pageColumns(words: readonly StyledWord[]): StyledWord[][] {
  const columns: StyledWord[][] = [];
  let before: StyledWord | undefined;
  for (const word of words) {
    const goesUp = before && before.top - word.top > COLUMN_JUMP * heightOf(word);
    if (before && !goesUp) columns.at(-1)!.push(word);
    else columns.push([word]);
    before = word;
  }
  return columns;
}

/**
 * Returns the tables in a run of rows, which is part of `rows`. If the run is not a table, it is split at its widest
 * gap, which may separate prose from a table.
 */
function tablesIn(run: readonly Row[], rows: readonly Row[], divisions: number): FoundTable[] {
  const table = tableOf(run, rows);
  if (table) return [table];
  if (divisions === 0 || run.length <= MIN_ROWS) return [];
  const gaps = run.slice(1).map((row, at) => row.top - run[at]!.bottom);
  const widest = Math.max(...gaps);
  const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1]!;
  if (widest < usual + heightOf(run[0]!) * DIVIDING_GAP) return [];
  const at = gaps.indexOf(widest) + 1;
  return [run.slice(0, at), run.slice(at)].flatMap((part) => tablesIn(part, rows, divisions - 1));
}

/**
 * Groups words into rows by their height on the page, regardless of the drawing order. The words in `starts` begin a
 * cell after any gap.
 */
const rowsOf = (
  words: readonly StyledWord[],
  gap: number,
  starts: ReadonlySet<StyledWord>,
): Row[] => levelWords(words).map((row) => ({ ...around(row), cells: cellsOf(row, gap, starts) }));

const cellsOf = (
  words: readonly StyledWord[],
  gap: number,
  starts: ReadonlySet<StyledWord>,
): Line[] =>
  grouped(
    words.toSorted((a, b) => a.left - b.left),
    (cell, word) => !starts.has(word) && word.left - cell.right < gap * heightOf(word),
  );

/**
 * Returns the longest runs of rows that may form a table. With `isWrapped`, cells may be long, and a row may continue
 * any earlier row.
 */
function runsOf(rows: readonly Row[], isWrapped = false): Row[][] {
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
    if (before && (!isNear || changesKind(before, row))) close();
    const isFull = row.cells.length > 1;
    const isContinuation = isShort(row, isWrapped) && continuesRun(run, row, isWrapped);
    if (isFull && (isWrapped || row.cells.every(isShortCell))) run.push(row);
    else if (isContinuation) run.push(row);
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

const wordsPerCell = ({ cells }: Row) =>
  cells.reduce((sum, { words }) => sum + words.length, 0) / cells.length;

const isLineOfCell = ({ words }: Line) => words.length <= MAX_WORDS_PER_LINE;
const isShortCell = ({ words }: Line) => words.length <= MAX_WORDS_PER_CELL * 2;
const isShort = ({ cells }: Row, isWrapped: boolean) =>
  cells.length === 1 && (isWrapped ? isLineOfCell(cells[0]!) : isShortCell(cells[0]!));

/**
 * Whether the only cell of a row lies below a cell of the last full row. In a wrapped table, this may be any full row.
 */
function continuesRun(run: readonly Row[], row: Row, isWrapped: boolean): boolean {
  const isAbove = (other: Row) => other.cells.length > 1 && continuesColumn(other, row);
  if (isWrapped) return run.some((other) => isAbove(other) || isBeside(other, row));
  const last = run.findLast(({ cells }) => cells.length > 1);
  return last !== undefined && isAbove(last);
}

/** Whether the only cell of a row is to the left of all cells of a full row, because its column has no heading. */
const isBeside = ({ cells, left }: Row, { right }: Row): boolean =>
  cells.length > 1 && right < left;

/** Whether the only cell of a row lies below exactly one cell of a full row. */
const continuesColumn = (full: Row, { cells: [only] }: Row): boolean =>
  full.cells.filter((cell) => overlaps(cell, only!)).length === 1;

function tableOf(run: readonly Row[], all: readonly Row[]): FoundTable | undefined {
  const full = run.filter(({ cells }) => cells.length > 1);
  if (full.length < MIN_ROWS) return undefined;
  const cells = full.flatMap((row) => row.cells);
  const words = cells.reduce((sum, cell) => sum + cell.words.length, 0);
  if (words / cells.length > MAX_WORDS_PER_CELL) return undefined;
  const lowerCase = cells.filter((cell) => /^\p{Ll}/u.test(cell.words[0]!.text)).length;
  const isProse =
    lowerCase > cells.length * MAX_LOWER_CASE && words / cells.length > MIN_WORDS_OF_PROSE;
  if (isProse || full.length < run.length * MIN_FILLED) return undefined;
  const grid = gridIn(run, full);
  if (!grid) return undefined;
  const { columns } = grid;
  // Two columns of text are a table only if their cells are short.
  if (columns.length === 2 && words / cells.length > MAX_WORDS_OF_TWO) return undefined;
  const heading = headingRow(run[0]!, all, columns);
  const whole = heading ? [heading, ...grid.rows] : grid.rows;
  const rows = textsOf(whole, columns);
  if (rows.length < MIN_ROWS || !areColumnsLinked(rows) || hasMovedHeading(rows)) {
    return undefined;
  }
  const level = full.filter(isLevelRow).length;
  return {
    ...around(whole),
    rows,
    words: new Set(whole.flatMap((row) => row.cells.flatMap((cell) => cell.words))),
    isLevel: level >= full.length * MIN_LEVEL,
  };
}

/** Returns the row above a table if it consists of headings that run together. */
function headingRow(first: Row, all: readonly Row[], columns: readonly Column[]): Row | undefined {
  const above = all[all.indexOf(first) - 1];
  if (above?.cells.length !== 1) return undefined;
  if (first.top - above.bottom > ROW_GAP * heightOf(first)) return undefined;
  return divided(above, columns);
}

function isLevelRow(row: Row): boolean {
  const middles = row.cells.map(({ top, bottom }) => (top + bottom) / 2);
  return Math.max(...middles) - Math.min(...middles) < heightOf(row) * MAX_UNLEVEL;
}
