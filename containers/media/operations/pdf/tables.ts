/** Finds tables by the positions of their words. Most tables consist of rows of short cells whose edges align. */

import type { Box } from '../../pdf/page-space.ts';
import { medianOf } from '../median.ts';
import { around, grouped, heightOf } from './boxes.ts';
import { closeStarts } from './close-columns.ts';
import { isCrossed } from './crossing-lines.ts';
import type { Column } from './divided-row.ts';
import { cellStarts, levelWords } from './drawn-spaces.ts';
import { areListLabels, areListsInColumns } from './list-labels.ts';
import type { Line } from './page-lines.ts';
import { isCutFromProse } from './prose-columns.ts';
import { MAX_WORDS_PER_CELL, ROW_GAP, runsOf } from './row-runs.ts';
import type { StyledWord } from './styled-words.ts';
import {
  areColumnsLinked,
  cellTexts,
  dividedAtColumns,
  gridIn,
  hasMovedHeading,
  MIN_ROWS,
  type Row,
} from './table-grid.ts';
import { withDividedRows } from './tight-rows.ts';
import { wrappedRows } from './wrapped-tables.ts';

export interface FoundTable extends Box {
  rows: string[][];
  words: Set<StyledWord>;
  /** Whether the cells of most rows are at the same height. This is seldom the case if two tables are side by side. */
  isLevel: boolean;
}

/**
 * The maximum number of words on a page that is searched, because the search runs in quadratic time. A page of small
 * print has a few thousand words.
 */
const MAX_WORDS = 10_000;
/**
 * The minimum gap between cells, in letter heights, for most tables, and for those with narrow gaps, such as ruled
 * ones. Spaces in prose are narrower.
 */
const CELL_GAPS = [0.9, 0.45] as const;
/**
 * The minimum distance, in letter heights, by which the next column of a page begins above the last word of the
 * previous column.
 */
const COLUMN_JUMP = 8;
/**
 * The maximum share of table cells that begin in lower case. In prose, the share is larger, because most lines begin in
 * the middle of a sentence.
 */
const MAX_LOWER_CASE = 0.35;
/** The minimum average number of words per cell of prose in columns. */
const MIN_WORDS_OF_PROSE = 2.5;
/** The maximum average number of words per cell of a table with two columns. */
const MAX_WORDS_OF_TWO = 3.5;
/** The minimum amount, in row heights, by which a gap at the end of a table exceeds the usual gap between rows. */
const DIVIDING_GAP = 0.25;
/** The same for a table in which cells can have several lines. */
const WIDE_GAP = 0.5;
/** The maximum number of times that a run of rows and its parts are split in succession. */
const MAX_DIVISIONS = 8;
/**
 * The minimum share of level rows in a level table. In a level row, the vertical centers of the cells differ by less
 * than MAX_UNLEVEL row heights.
 */
const MIN_LEVEL = 0.8;
const MAX_UNLEVEL = 0.1;
/** The minimum share of rows with more than one cell. */
const MIN_FILLED = 0.6;

/**
 * Finds the tables of a page. Looks first for tables in which cells can have several lines, then for level tables
 * across the page, for tables within one column, and for other tables. The last three searches are then repeated with
 * the narrow gaps of ruled tables. `words` are in reading order, and `lines` are the horizontal lines that the page
 * draws.
 */
export function findTables(words: readonly StyledWord[], lines: readonly Box[] = []): FoundTable[] {
  if (words.length > MAX_WORDS) return [];
  const positions = new Map(words.map((word, at) => [word, at]));
  const tables: FoundTable[] = [];
  const taken = new Set<StyledWord>();
  const add = (candidates: readonly FoundTable[]) => {
    for (const table of candidates) {
      if (areListsInColumns(table.rows)) continue;
      if (!isCrossed(table, lines) && isCutFromProse(table.words, words, positions)) continue;
      tables.push(table);
      for (const word of table.words) taken.add(word);
    }
  };
  const remaining = () => words.filter((word) => !taken.has(word));
  const detached = cellStarts(words);
  const starts = detached.union(closeStarts(words));
  const tablesAmong = (some: readonly StyledWord[], gap: number) => {
    const rows = withDividedRows(rowsOf(some, gap, starts));
    return runsOf(rows).flatMap((run) => tablesIn(run, rows, MAX_DIVISIONS));
  };
  add(wrappedTables(rowsOf(words, CELL_GAPS[0], starts), detached.size > 0));
  for (const gap of CELL_GAPS) {
    add(tablesAmong(remaining(), gap).filter(({ isLevel }) => isLevel));
    for (const column of pageColumns(remaining())) add(tablesAmong(column, gap));
    add(tablesAmong(remaining(), gap));
  }
  return tables;
}

/** Returns the tables in which cells can have several lines. `areDivided` is as for `wrappedRows`. */
const wrappedTables = (rows: readonly Row[], areDivided: boolean): FoundTable[] =>
  runsOf(rows, true).flatMap((run) => wrappedTablesIn(run, areDivided, MAX_DIVISIONS));

/** Returns the tables in a run. If the run is not a table, text above or below the table is split off at wide gaps. */
function wrappedTablesIn(
  run: readonly Row[],
  areDivided: boolean,
  divisions: number,
): FoundTable[] {
  const table = wrappedRows(
    run.flatMap((row) => row.cells),
    areDivided,
  );
  if (table) {
    return [{ ...around(table.words), ...table, words: new Set(table.words), isLevel: true }];
  }
  const parts = divisions === 0 ? [] : dividedAtGap(run, WIDE_GAP);
  if (!parts.some(isMostlyText)) return [];
  return parts.flatMap((part) => wrappedTablesIn(part, areDivided, divisions - 1));
}

const isMostlyText = (rows: readonly Row[]): boolean =>
  rows.filter(({ cells }) => cells.length > 1).length * 2 <= rows.length;

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
  const parts = divisions === 0 ? [] : dividedAtGap(run, DIVIDING_GAP);
  return parts.flatMap((part) => tablesIn(part, rows, divisions - 1));
}

/**
 * Splits a run at its widest gap, which must exceed the usual gap by `least` row heights. Returns nothing if there is
 * no such gap or the run is too short.
 */
function dividedAtGap(run: readonly Row[], least: number): Row[][] {
  if (run.length <= MIN_ROWS) return [];
  const gaps = run.slice(1).map((row, at) => row.top - run[at]!.bottom);
  const widest = Math.max(...gaps);
  // The first row may be a heading in large type.
  const height = Math.min(heightOf(run[0]!), medianOf(run.map(heightOf)));
  if (widest < medianOf(gaps) + height * least) return [];
  const at = gaps.indexOf(widest) + 1;
  return [run.slice(0, at), run.slice(at)];
}

/**
 * Groups words into rows by their height on the page, regardless of the drawing order. Each word in `starts` begins a
 * cell, regardless of the gap before it.
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

/** Returns the table that the whole run forms, or undefined if it is not a table. `all` are the rows of the page. */
function tableOf(run: readonly Row[], all: readonly Row[]): FoundTable | undefined {
  const full = run.filter(({ cells }) => cells.length > 1);
  if (full.length < MIN_ROWS || full.length < run.length * MIN_FILLED) return undefined;
  const grid = isProse(full) ? undefined : gridIn(run, full);
  if (!grid) return undefined;
  const { columns } = grid;
  // Two columns of text are a table only if their cells are short.
  if (columns.length === 2 && wordsPerCellIn(full) > MAX_WORDS_OF_TWO) return undefined;
  const heading = headingRow(run[0]!, all, columns);
  const whole = heading ? [heading, ...grid.rows] : grid.rows;
  const rows = cellTexts(whole, columns);
  if (rows.length < MIN_ROWS || !areColumnsLinked(rows) || hasMovedHeading(rows)) {
    return undefined;
  }
  // The labels of a list and its items are not a table.
  if (columns.length === 2 && areListLabels(rows.map(([label]) => label!))) return undefined;
  const level = full.filter(isLevelRow).length;
  return {
    ...around(whole),
    rows,
    words: new Set(whole.flatMap((row) => row.cells.flatMap((cell) => cell.words))),
    isLevel: level >= full.length * MIN_LEVEL,
  };
}

/** Whether the rows are lines of prose in columns. */
function isProse(rows: readonly Row[]): boolean {
  const words = wordsPerCellIn(rows);
  if (words > MAX_WORDS_PER_CELL) return true;
  const cells = rows.flatMap((row) => row.cells);
  const lowerCase = cells.filter((cell) => /^\p{Ll}/u.test(cell.words[0]!.text)).length;
  return lowerCase > cells.length * MAX_LOWER_CASE && words > MIN_WORDS_OF_PROSE;
}

function wordsPerCellIn(rows: readonly Row[]): number {
  const cells = rows.flatMap((row) => row.cells);
  return cells.reduce((sum, { words }) => sum + words.length, 0) / cells.length;
}

/** Returns the row above a table if it consists of headings that run together. */
function headingRow(first: Row, all: readonly Row[], columns: readonly Column[]): Row | undefined {
  const above = all[all.indexOf(first) - 1];
  if (above?.cells.length !== 1) return undefined;
  if (first.top - above.bottom > ROW_GAP * heightOf(first)) return undefined;
  return dividedAtColumns(above, columns);
}

function isLevelRow(row: Row): boolean {
  const middles = row.cells.map(({ top, bottom }) => (top + bottom) / 2);
  return Math.max(...middles) - Math.min(...middles) < heightOf(row) * MAX_UNLEVEL;
}
