/**
 * Assigns the cells of a tagged table to columns. Some programs, such as Chromium, omit empty cells from the structure
 * tree. The position of a cell in its row is then not its column.
 */
import type { Box } from '../../pdf/page-space.ts';
import type { StructureElement } from '../../pdf/structure-tree.ts';
import { around, extend } from './boxes.ts';
import { flowedText } from './page-lines.ts';
import { linesOf } from './reading-order.ts';
import type { StyledWord } from './styled-words.ts';
import { columnsByPosition, MAX_COLUMNS, MAX_OVERLAP, type PlacedCell } from './tagged-columns.ts';

/** The maximum number of cells, including empty ones. One row of many cells would otherwise widen all other rows. */
const MAX_CELLS = 250_000;

interface TaggedCell extends PlacedCell {
  words: StyledWord[];
}

interface TaggedRow {
  element: StructureElement | undefined;
  cells: Map<StructureElement | undefined, TaggedCell>;
}

/** The column of each cell according to the structure tree, and the number of columns that each row fills. */
interface TreeGrid {
  columns: Map<StructureElement, number>;
  widths: Map<StructureElement, number>;
}

/**
 * Returns the text of a table's cells by row, for the rows that contain words. All rows have the same number of cells.
 * A cell that spans several columns or rows is followed by empty cells. Returns no rows if there are too many cells.
 */
export function taggedRows(table: StructureElement, words: readonly StyledWord[]): string[][] {
  const { grid, headers } = treeOf(table);
  const rows = rowsWithWords(words, headers);
  const columns = columnsOf(rows, grid);
  const width = largest(columns.flat()) + 1;
  if (rows.length * width > MAX_CELLS) return [];
  return rows.map(({ cells }, at) => {
    const texts = Array.from({ length: width }, () => '');
    for (const [index, cell] of [...cells.values()].entries()) {
      const text = flowedText(linesOf(cell.words));
      const column = Math.min(columns[at]![index]!, width - 1);
      texts[column] = texts[column] ? `${texts[column]} ${text}` : text;
    }
    return texts;
  });
}

interface TableTree {
  grid: TreeGrid;
  /** The identifiers of the headers of single columns. */
  headers: Set<string>;
}

/** Caches the trees of tables, because a table can be on many pages. */
const trees = new WeakMap<StructureElement, TableTree>();

function treeOf(table: StructureElement): TableTree {
  const known = trees.get(table);
  if (known) return known;
  const rows = rowsOf(table);
  const tree = { grid: gridOf(rows), headers: columnHeaders(rows) };
  trees.set(table, tree);
  return tree;
}

/** Returns the largest number, or 0 for an empty list. `Math.max(...numbers)` would overflow the stack. */
const largest = (numbers: readonly number[]) =>
  numbers.reduce((most, number) => Math.max(most, number), 0);

/** Returns the column of each cell, by row. */
function columnsOf(rows: readonly TaggedRow[], grid: TreeGrid): number[][] {
  const cells = rows.map((row) => [...row.cells.values()]);
  const widths = rows.flatMap(({ element }) => (element ? (grid.widths.get(element) ?? 0) : []));
  if (largest(widths) > MAX_COLUMNS) return cells.map((row) => [...row.keys()]);
  // For cells without a row, the order determines the column.
  const byTree = rows.map((row) =>
    [...row.cells.keys()].map(
      (element, at) => (element && grid.columns.get(element)) ?? (row.element ? 0 : at),
    ),
  );
  const isComplete = widths.every((width) => width === widths[0]);
  if (isComplete && areDisjoint(cells, byTree)) return byTree;
  return columnsByPosition(cells) ?? byTree;
}

/** Whether the columns do not overlap and are ordered from left to right or from right to left. */
function areDisjoint(
  rows: readonly (readonly TaggedCell[])[],
  columns: readonly (readonly number[])[],
): boolean {
  const extents: (Box | undefined)[] = [];
  for (const [at, row] of rows.entries()) {
    for (const [index, cell] of row.entries()) {
      const column = columns[at]![index]!;
      const extent = extents[column];
      if (cell.span > 1) continue;
      if (extent) extend(extent, cell);
      else extents[column] = around([cell]);
    }
  }
  const used = extents.filter((extent) => extent !== undefined);
  const follows = (right: Box, left: Box) => right.left > left.right - MAX_OVERLAP;
  const pairs = used.slice(1).map((extent, at) => [used[at]!, extent] as const);
  return (
    pairs.every(([before, extent]) => follows(extent, before)) ||
    pairs.every(([before, extent]) => follows(before, extent))
  );
}

/** Returns the outermost wanted elements below an element in logical order. Nested tables are not searched. */
const outermost = (
  above: StructureElement,
  isWanted: (type: string) => boolean,
): StructureElement[] =>
  above.kids.flatMap((kid) => {
    if (isWanted(kid.type)) return kid;
    return kid.type === 'Table' ? [] : outermost(kid, isWanted);
  });

const isRow = (type: string) => type === 'TR';
const isCell = (type: string) => type === 'TD' || type === 'TH';

/** Returns the rows of a table with their cells. */
const rowsOf = (table: StructureElement) =>
  outermost(table, isRow).map((row) => ({ row, cells: outermost(row, isCell) }));

type TreeRows = ReturnType<typeof rowsOf>;

/** Assigns the cells of the structure tree to columns by their order and spans. */
function gridOf(rows: TreeRows): TreeGrid {
  const grid: TreeGrid = { columns: new Map(), widths: new Map() };
  // The number of rows that the cell in each column still spans.
  let spanned: number[] = [];
  for (const { row, cells } of rows) {
    const below = spanned.map((rows) => Math.max(0, rows - 1));
    let column = 0;
    for (const element of cells.slice(0, MAX_COLUMNS + 1)) {
      while (spanned[column]) column += 1;
      grid.columns.set(element, column);
      const { rowSpan = 1, columnSpan = 1 } = element.cell ?? {};
      const end = Math.min(column + columnSpan, MAX_COLUMNS + 1);
      for (; column < end; column += 1) below[column] = rowSpan - 1;
    }
    grid.widths.set(row, Math.max(column, spanned.findLastIndex((rows) => rows > 0) + 1));
    spanned = below;
  }
  return grid;
}

/** Returns the identifiers of the headers of single columns. */
const columnHeaders = (rows: TreeRows) =>
  new Set(
    rows.flatMap(({ cells }) =>
      cells.flatMap(({ cell }) =>
        cell?.id !== undefined && cell.headsColumn && cell.columnSpan === 1 ? cell.id : [],
      ),
    ),
  );

/** Groups the words of a table by row and cell. */
function rowsWithWords(words: readonly StyledWord[], headers: ReadonlySet<string>): TaggedRow[] {
  const rows = new Map<StructureElement | undefined, TaggedRow>();
  for (const word of words) {
    const { element, row } = cellOf(word.element);
    const tagged = rows.get(row) ?? { element: row, cells: new Map() };
    rows.set(row, tagged);
    const cell = tagged.cells.get(element);
    if (cell) cell.words.push(word);
    else tagged.cells.set(element, newCell(word, element, headers));
  }
  for (const cell of [...rows.values()].flatMap(({ cells }) => [...cells.values()])) {
    Object.assign(cell, around(cell.words));
  }
  return [...rows.values()];
}

function newCell(
  word: StyledWord,
  element: StructureElement | undefined,
  headers: ReadonlySet<string>,
): TaggedCell {
  const { columnSpan = 1, id = '', headers: own = [] } = element?.cell ?? {};
  const named = [id, ...own].filter((name) => headers.has(name));
  return {
    ...around([word]),
    words: [word],
    span: Math.min(columnSpan, MAX_COLUMNS),
    headers: named,
  };
}

/** Returns the outermost cell and row around an element. */
function cellOf(from: StructureElement | undefined) {
  let element: StructureElement | undefined;
  let row: StructureElement | undefined;
  for (let next = from; next; next = next.parent) {
    if (isCell(next.type)) element = next;
    if (isRow(next.type)) row = next;
  }
  return { element, row };
}

/** Whether a word of a table belongs to its caption instead of a cell. */
export function isInCaption(word: StyledWord): boolean {
  for (let next = word.element; next && !isRow(next.type); next = next.parent) {
    if (next.type === 'Caption') return true;
  }
  return false;
}
