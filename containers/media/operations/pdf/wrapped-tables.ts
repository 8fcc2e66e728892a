/** Finds tables with multi-line cells by the positions of their words. */
import type { Box } from '../../pdf/page-space.ts';
import { medianOf } from '../median.ts';
import { type Group, grouped, heightOf } from './boxes.ts';
import { flowedText, type Line } from './page-lines.ts';
import type { StyledWord } from './styled-words.ts';
import { type Fits, type Grid, isNumber, isProse, isTable, MIN_USED } from './wrapped-grid.ts';

interface Cell {
  line: Line;
  column: number;
}

/** The minimum gap between columns in letter heights. */
const COLUMN_GAP = 0.6;
/** The minimum gap between columns if the cells of each line are known. */
const MIN_GAP = 0.1;
/**
 * The minimum space between rows, in letter heights, in addition to the space between the lines of a cell. The smaller
 * one is tried if the larger one finds no table.
 */
const ROW_PADDINGS = [0.15, 0.08];
/** The maximum difference, in letter heights, between the centers of the lines that are level with each other. */
const MAX_UNLEVEL = 0.25;
/** The maximum distance between the centers of two lines of a cell, in letter heights. */
const MAX_STEP = 1.7;
/** The width of a space, in letter heights. */
const SPACE = 0.3;

/**
 * Returns the text of the cells by row, and the words of the table. Returns undefined if the words do not form a table
 * of this kind. With `areDivided`, each of the lines belongs to one cell, even if cells are as close as words.
 */
export function wrappedRows(
  lines: readonly Line[],
  areDivided: boolean,
): { rows: string[][]; words: StyledWord[] } | undefined {
  const words = lines.flatMap((line) => line.words);
  const columns = areDivided
    ? columnsOf(lines, MIN_GAP).map((column) => ({
        ...column,
        words: column.words.flatMap((line) => line.words),
      }))
    : columnsOf(words, COLUMN_GAP);
  if (columns.length < 2) return undefined;
  const cells = columns.flatMap(({ words: own }, column) =>
    linesOf(own).map((line): Cell => ({ line, column })),
  );
  // If two cells are on one line of a column, a wider cell may join two columns.
  const mayBeJoined = cells.length < lines.length;
  const height = medianOf(words.map(heightOf));
  const fits: Fits = (before, line, column, isRoomy) => {
    const next = isRoomy ? columns[column + 1] : undefined;
    const edge = next ? next.left - COLUMN_GAP * height : columns[column]!.right;
    const limit = edge - columns[column]!.left;
    return widthOf(before) + SPACE * height + widthOf(line.words[0]!) < limit;
  };
  const padded = ROW_PADDINGS.map((padding) => paddedRows(cells, height, padding));
  const started = areLevel(cells) ? [startedRows(cells, fits, columns.length)] : [];
  for (const rows of [...padded, ...started]) {
    // A short line below a table is not one of its rows.
    const last = rows.findLastIndex(([first, ...others]) =>
      others.some(({ column }) => column !== first!.column),
    );
    const grid = gridOf(rows.slice(0, last + 1), columns.length);
    if (!grid) continue;
    const isStarted = started.includes(rows);
    if (!isTable(grid, fits, isStarted || mayBeJoined) || (isStarted && isProse(grid))) continue;
    const own = grid.flat(2).flatMap((line) => line.words);
    return { rows: grid.map((row) => row.map((cell) => flowedText(cell))), words: own };
  }
  return undefined;
}

/** Returns the columns, which are separated by gaps of at least `gap` letter heights. */
const columnsOf = <Each extends Box>(boxes: readonly Each[], gap: number): Group<Each>[] =>
  grouped(
    boxes.toSorted((a, b) => a.left - b.left),
    (column, box) => box.left - column.right < gap * heightOf(box),
  );

/** Returns the lines of each cell. Returns undefined if so many cells are empty that the rows are not a table. */
function gridOf(rows: readonly (readonly Cell[])[], columns: number): Grid | undefined {
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  // Otherwise, thousands of short rows below a wide one would fill the memory.
  if (cells < rows.length * columns * MIN_USED) return undefined;
  return rows.map((row) => {
    const lines: Line[][] = Array.from({ length: columns }, () => []);
    for (const { line, column } of row) lines[column]!.push(line);
    return lines;
  });
}

const widthOf = ({ left, right }: { left: number; right: number }) => right - left;
const middle = ({ top, bottom }: { top: number; bottom: number }) => (top + bottom) / 2;

/** Returns the lines of a column from top to bottom. */
const linesOf = (words: readonly StyledWord[]): Line[] =>
  grouped(
    words.toSorted((a, b) => middle(a) - middle(b)),
    (line, word) => middle(word) - middle(line) < heightOf(word) / 2,
  ).map((line) => ({ ...line, words: line.words.toSorted((a, b) => a.left - b.left) }));

const downwards = (cells: readonly Cell[]) =>
  cells.toSorted((a, b) => middle(a.line) - middle(b.line));

/** Groups cells into rows. A new row begins where the gap is wider than the gaps between the lines of a cell. */
function paddedRows(cells: readonly Cell[], height: number, padding: number): Cell[][] {
  const steps = cells.flatMap((cell, at) => {
    const next = cells[at + 1];
    return next?.column === cell.column ? middle(next.line) - middle(cell.line) : [];
  });
  const step = Math.min(...steps);
  return rowsBy(cells, (before, cell) => middle(cell) - middle(before) < step + padding * height);
}

/**
 * Whether the lines of all cells are level with each other. Otherwise, short cells are centered beside taller ones, and
 * a row may begin above the first line of some of its cells.
 */
function areLevel(cells: readonly Cell[]): boolean {
  const ordered = downwards(cells).map(({ line }) => line);
  return ordered.slice(1).every((line, at) => {
    const step = middle(line) - middle(ordered[at]!);
    return step < MAX_UNLEVEL * heightOf(line) || step > (1 - MAX_UNLEVEL) * heightOf(line);
  });
}

const isNear = (above: Line, line: Line) =>
  middle(line) - middle(above) < MAX_STEP * heightOf(line);

/** Groups cells into rows. A line that does not continue the line above it begins a new row. */
function startedRows(cells: readonly Cell[], fits: Fits, columns: number): Cell[][] {
  const lines = rowsBy(cells, (before, cell) => middle(cell) - middle(before) < heightOf(cell) / 2);
  const rows: Cell[][] = [];
  let before: Cell[] = [];
  for (const line of lines) {
    // A line with a cell in every column is more likely to begin a row.
    const isRoomy = line.length === columns;
    const isContinuation = line.every((cell) => {
      const above = before.find(({ column }) => column === cell.column);
      if (!above || isNumber(cell.line) || !isNear(above.line, cell.line)) return false;
      return !fits(above.line, cell.line, cell.column, isRoomy);
    });
    if (isContinuation) rows.at(-1)!.push(...line);
    else rows.push([...line]);
    before = line;
  }
  return rows;
}

function rowsBy(cells: readonly Cell[], belongs: (before: Line, cell: Line) => boolean): Cell[][] {
  const rows: Cell[][] = [];
  let last: Line | undefined;
  for (const cell of downwards(cells)) {
    if (last && belongs(last, cell.line)) rows.at(-1)!.push(cell);
    else rows.push([cell]);
    last = cell.line;
  }
  return rows;
}
