/** Finds tables by the lines around their cells, on untagged pages and in elements that are used only for layout. */
import { firstIndex } from '../../pdf/first-index.ts';
import type { Box } from '../../pdf/page-space.ts';
import { areSideBySide, around } from './boxes.ts';
import { flowedText, type Line } from './page-lines.ts';
import { linesOf } from './reading-order.ts';
import type { StyledWord } from './styled-words.ts';
import type { FoundTable } from './tables.ts';

/** The maximum distance in points between lines that touch, and between lines at the same position. */
const TOUCHING = 2;
const SAME_POSITION = 3;
/** The minimum number of columns and rows, and the maximum number of their cells. */
const MIN_COLUMNS = 2;
const MIN_ROWS = 2;
const MAX_CELLS = 20_000;
/** The minimum share of cells with text. The grid of a diagram contains little text. */
const MIN_FILLED = 0.3;
/** The maximum number of words in a cell. A frame around prose contains more. */
const MAX_WORDS = 150;

/**
 * The maximum share of rows most of whose cells have the same number of lines, which is at least two, and the maximum
 * of that number, in a reliable table.
 */
const MAX_EVEN = 0.34;
const MAX_EVEN_LINES = 2;

export interface RuledTable extends FoundTable {
  /**
   * Whether each row of the grid is probably one row of the table. Some tables have lines only between groups of rows.
   */
  isReliable: boolean;
}

/** The edges of columns or rows, from the first to the last. */
type Edges = readonly number[];

interface Grid {
  columns: Edges;
  rows: Edges;
  /** Whether a line divides two cells that are side by side, or one above the other, by the index of the first cell. */
  hasRight: boolean[];
  hasBelow: boolean[];
}

/** Returns the tables that are drawn with lines on a page. `words` are in reading order. */
export const ruledTables = (words: readonly StyledWord[], lines: readonly Box[]): RuledTable[] =>
  connected(lines).flatMap((group) => {
    const grid = gridOf(group);
    return grid ? tablesIn(grid, words) : [];
  });

/** Groups lines that touch each other. */
function connected(lines: readonly Box[]): Box[][] {
  const sorted = lines.toSorted((a, b) => a.top - b.top);
  const parents = sorted.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root]!;
    parents[at] = root;
    return root;
  };
  for (const [at, line] of sorted.entries()) {
    for (let next = at + 1; next < sorted.length; next += 1) {
      const other = sorted[next]!;
      if (other.top > line.bottom + TOUCHING) break;
      const isBeside = other.left > line.right + TOUCHING || line.left > other.right + TOUCHING;
      if (!isBeside) parents[rootOf(next)] = rootOf(at);
    }
  }
  const groups = Map.groupBy(sorted.keys(), rootOf);
  return [...groups.values()].map((group) => group.map((at) => sorted[at]!));
}

/** Returns the grid of lines that touch each other, or undefined if it has too few or too many cells. */
function gridOf(lines: readonly Box[]): Grid | undefined {
  const isHorizontal = ({ left, top, right, bottom }: Box) => right - left > bottom - top;
  const horizontal = lines.filter(isHorizontal);
  const vertical = lines.filter((line) => !isHorizontal(line));
  const columns = edgesOf(vertical.map(({ left, right }) => (left + right) / 2));
  const rows = edgesOf(horizontal.map(({ top, bottom }) => (top + bottom) / 2));
  const [width, height] = [columns.length - 1, rows.length - 1];
  if (width < MIN_COLUMNS || height < MIN_ROWS || width * height > MAX_CELLS) return undefined;
  const hasRight: boolean[] = Array.from({ length: width * height }, () => false);
  const hasBelow = [...hasRight];
  for (const { left, right, top, bottom } of vertical) {
    const column = indexIn(columns, (left + right) / 2) - 1;
    for (const row of column < 0 ? [] : betweenEdges(rows, top, bottom)) {
      hasRight[row * width + column] = true;
    }
  }
  for (const { left, right, top, bottom } of horizontal) {
    const row = indexIn(rows, (top + bottom) / 2) - 1;
    for (const column of row < 0 ? [] : betweenEdges(columns, left, right)) {
      hasBelow[row * width + column] = true;
    }
  }
  return { columns, rows, hasRight, hasBelow };
}

/** Returns the distinct positions, in order. */
function edgesOf(positions: readonly number[]): number[] {
  const edges: number[] = [];
  for (const position of positions.toSorted((a, b) => a - b)) {
    if (edges.length === 0 || position > edges.at(-1)! + SAME_POSITION) edges.push(position);
  }
  return edges;
}

/** Returns the index of the last edge that is at or before a position. */
const indexIn = (edges: Edges, position: number): number =>
  firstIndex(edges.length, (at) => edges[at]! > position) - 1;

/** Returns the columns or rows whose middle is between two positions. */
function betweenEdges(edges: Edges, from: number, to: number): number[] {
  const found: number[] = [];
  for (let at = Math.max(0, indexIn(edges, from)); at < edges.length - 1; at += 1) {
    const middle = (edges[at]! + edges[at + 1]!) / 2;
    if (middle > to) break;
    if (middle >= from) found.push(at);
  }
  return found;
}

/** Returns the table in a grid, or an empty list if the grid is not a table, such as a frame around prose. */
function tablesIn(grid: Grid, words: readonly StyledWord[]): RuledTable[] {
  const { columns, rows } = grid;
  const width = columns.length - 1;
  const origins = originsOf(grid);
  const cells = new Map<number, StyledWord[]>();
  for (const word of words) {
    const column = indexIn(columns, (word.left + word.right) / 2);
    const row = indexIn(rows, (word.top + word.bottom) / 2);
    if (column < 0 || row < 0 || column >= width || row >= rows.length - 1) continue;
    const origin = origins[row * width + column]!;
    const cell = cells.get(origin);
    if (!cell) cells.set(origin, [word]);
    else if (cell.push(word) > MAX_WORDS) return [];
  }
  if (cells.size < new Set(origins).size * MIN_FILLED) return [];
  const lines = rows.slice(1).map((_, row) =>
    dividedCells(
      Array.from({ length: width }, (_, column) => linesOf(cells.get(row * width + column) ?? [])),
      columns,
    ),
  );
  if (lines.filter(isGroupOfRows).length * 2 > lines.length) return [];
  const texts = lines.map((row) => row.map((cell) => flowedText(cell)));
  const filled = withoutEmpty(texts);
  const isTable = filled.filter((row) => row.filter((text) => text !== '').length > 1).length > 1;
  if (!isTable) return [];
  const own = [...cells.values()].flat();
  const isReliable = areRows(lines);
  return [{ ...around(own), rows: filled, words: new Set(own), isLevel: true, isReliable }];
}

/**
 * Moves each line of a cell to its own column if the cell has lines that are side by side. Some tables have lines
 * between only some of their columns.
 */
function dividedCells(row: Line[][], columns: Edges): Line[][] {
  const divided: Line[][] = row.map(() => []);
  for (const [column, lines] of row.entries()) {
    const isDivided = lines.some((line, at) => at > 0 && areSideBySide(lines[at - 1]!, line));
    for (const line of lines) {
      divided[isDivided ? indexIn(columns, (line.left + line.right) / 2) : column]!.push(line);
    }
  }
  return divided;
}

/** Whether a row of the grid contains several rows of the table, so that its cells have the same number of lines. */
function isGroupOfRows(row: readonly (readonly Line[])[]): boolean {
  const counts = row.map((lines) => lines.length).filter((count) => count > 0);
  return counts.length > 1 && counts[0]! > 1 && counts.every((count) => count === counts[0]);
}

/** Whether each row of the grid is probably one row of the table. */
function areRows(rows: readonly (readonly (readonly Line[])[])[]): boolean {
  const even = rows.map(evenLines).filter((lines) => lines > 1);
  return even.length <= rows.length * MAX_EVEN && even.every((lines) => lines <= MAX_EVEN_LINES);
}

/** Returns the number of lines that most cells with text have, or 0 if their numbers of lines differ. */
function evenLines(row: readonly (readonly Line[])[]): number {
  const filled = row.filter((lines) => lines.length > 0);
  const counts = Map.groupBy(filled, (lines) => lines.length);
  const [even] = [...counts].filter(
    ([, cells]) => cells.length > 1 && cells.length * 2 > filled.length,
  );
  return even?.[0] ?? 0;
}

/** Returns, for each cell of the grid, the first of the cells from which no line divides it. */
function originsOf({ columns, rows, hasRight, hasBelow }: Grid): number[] {
  const width = columns.length - 1;
  const origins: number[] = [];
  for (let row = 0; row < rows.length - 1; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column;
      const left = column > 0 && !hasRight[at - 1] ? origins[at - 1] : undefined;
      const above = row > 0 && !hasBelow[at - width] ? origins[at - width] : undefined;
      origins[at] = above ?? left ?? at;
    }
  }
  return origins;
}

/** Removes the rows and columns without text. */
function withoutEmpty(texts: readonly string[][]): string[][] {
  const rows = texts.filter((row) => row.some((text) => text !== ''));
  const filled = texts[0]!.map((_, column) => rows.some((row) => row[column] !== ''));
  return rows.map((row) => row.filter((_, column) => filled[column]));
}
