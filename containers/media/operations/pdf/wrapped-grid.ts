/** Decides whether a grid of multi-line cells is a table. Otherwise, it is prose or a list in columns. */
import { areListLabels } from './list-labels.ts';
import { BULLET, flowedText, type Line } from './page-lines.ts';

const MIN_ROWS = 3;
/** The minimum share of continuation lines whose first word did not fit on the previous line. */
const MIN_WRAPPED = 0.8;
/** The minimum share in a table with a column of numbers. */
const MIN_WRAPPED_OF_NUMBERS = 0.5;
/** The minimum share of rows with more than one cell. */
const MIN_FILLED = 0.8;
/** The minimum share of multi-line rows whose cells have different numbers of lines. */
const MIN_UNEVEN = 0.5;
/**
 * The minimum share of cells whose first word would have fit on the line above. Columns of prose have few such cells.
 */
const MIN_BEGUN = 0.4;
/** The minimum share of rows in which each column has a cell. */
export const MIN_USED = 1 / 3;
/** The maximum share of cells that begin in lower case. */
const MAX_LOWER_CASE = 0.35;
/** The maximum average number of words in the cells of a column. Cells with more words are prose in columns. */
const MAX_WORDS_PER_CELL = 15;
/** The same for a table whose rows have labels. */
const MAX_WORDS_BESIDE_LABEL = 60;
/** The maximum number of words in a label, and on average in the first column of a table with two columns. */
const MAX_WORDS_OF_TERM = 4;

/** The lines of each cell, by row and column. */
export type Grid = Line[][][];

/**
 * Whether the first word of a line would have fit on the previous line. The limit is the widest line of the column.
 * With `isRoomy`, the limit is the next column, because a narrow column is often no wider than its longest word.
 */
export type Fits = (before: Line, line: Line, column: number, isRoomy?: boolean) => boolean;

/**
 * Whether the grid is a table. `isUnsure` indicates that the rows may begin at the wrong lines, or that a column may
 * consist of two.
 */
export function isTable(grid: Grid, fits: Fits, isUnsure: boolean): boolean {
  if (grid.length < MIN_ROWS || !isFilled(grid)) return false;
  const isDoubled = !isUnsure && areDoubled(grid);
  if (!isDoubled && !isUneven(grid)) return false;
  const columns = grid[0]!.map((_, at) =>
    grid.flatMap((row) => (row[at]!.length > 0 ? [row[at]!] : [])),
  );
  if (columns.some((cells) => cells.length < grid.length * MIN_USED || isListed(cells)))
    return false;
  // Columns of prose contain no column of numbers, and the space between their lines is regular.
  const isReliable = !isUnsure && columns.length > 2 && columns.some(isNumeric);
  const minWrapped = isReliable ? MIN_WRAPPED_OF_NUMBERS : MIN_WRAPPED;
  if (wrappedShare(columns, fits) < minWrapped) return false;
  const hasLabels = isLabeled(grid);
  if (columns.length === 2 && areListLabels(grid.map(([label]) => flowedText(label!))))
    return false;
  if (!isReliable && !hasLabels && !isDoubled && begunShare(columns, fits) < MIN_BEGUN)
    return false;
  const words = columns.map(
    (cells) => cells.flat().reduce((sum, line) => sum + line.words.length, 0) / cells.length,
  );
  // Two columns are a table only if the first column contains short terms. Otherwise, they are prose.
  if (columns.length === 2 && words[0]! > MAX_WORDS_OF_TERM) return false;
  return Math.max(...words) <= (hasLabels ? MAX_WORDS_BESIDE_LABEL : MAX_WORDS_PER_CELL);
}

/** Returns the number of cells with text. */
const filledCount = (row: Line[][]) => row.filter((cell) => cell.length > 0).length;

const isFilled = (grid: Grid) =>
  grid.filter((row) => filledCount(row) > 1).length >= grid.length * MIN_FILLED;

/** Whether each row has a short cell of one line in the same column, such as a date. Prose has longer lines. */
const isLabeled = (grid: Grid): boolean =>
  grid[0]!.some((_, at) =>
    grid.every(
      ({ [at]: cell }) => cell!.length === 1 && cell![0]!.words.length <= MAX_WORDS_OF_TERM,
    ),
  );

/** Whether the cells of most multi-line rows have different numbers of lines. */
function isUneven(grid: Grid): boolean {
  const tall = grid.filter((row) => row.some((cell) => cell.length > 1));
  const uneven = tall.filter((row) => row.some((cell) => cell.length !== row[0]!.length));
  return tall.length > 0 && uneven.length >= tall.length * MIN_UNEVEN;
}

/**
 * Whether all cells of at least three columns, even the headings, have two lines. Groups of rows have headings of one
 * line.
 */
const areDoubled = (grid: Grid): boolean =>
  grid[0]!.length > 2 && grid.every((row) => row.every((cell) => cell.length === 2));

/** Returns the share of continuation lines whose first word did not fit on the previous line. */
function wrappedShare(columns: readonly Line[][][], fits: Fits): number {
  const within = columns.flatMap((cells, at) =>
    cells.flatMap((lines) => lines.slice(1).map((line, above) => fits(lines[above]!, line, at))),
  );
  return shareOf(within, false);
}

/** Returns the share of cells whose first word would have fit on the last line of the cell above. */
function begunShare(columns: readonly Line[][][], fits: Fits): number {
  const between = columns.flatMap((cells, at) =>
    cells.slice(1).map(([line], above) => fits(cells[above]!.at(-1)!, line!, at, true)),
  );
  return shareOf(between, true);
}

/** Whether many cells begin in lower case. Most lines of prose do, because they begin in the middle of a sentence. */
export function isProse(grid: Grid): boolean {
  const cells = grid.flat().flatMap(([line]) => line ?? []);
  const lowerCase = cells.map(({ words: [first] }) => /^\p{Ll}/u.test(first!.text));
  return shareOf(lowerCase, true) > MAX_LOWER_CASE;
}

const shareOf = (values: readonly boolean[], wanted: boolean) =>
  values.filter((value) => value === wanted).length / Math.max(1, values.length);

/**
 * Whether a line is a number, which can have spaces, a currency sign and parentheses for a negative amount, or a number
 * and a short unit.
 */
export function isNumber({ words }: Line): boolean {
  const [{ text: first } = { text: '' }, second, ...others] = words;
  const isUnit = second && others.length === 0 && /^\p{L}{1,2}[²³]?$/u.test(second.text);
  if (isUnit && /^[\p{N}.,]+$/u.test(first)) return true;
  return (
    words.every(({ text }) => /^[\p{Sc}\p{N}.,'%+()−–-]+$/u.test(text)) &&
    words.some(({ text }) => /\p{N}/u.test(text))
  );
}

/** Whether the cells of a column below its heading contain numbers. */
const isNumeric = ([, ...cells]: readonly Line[][]) =>
  cells.length > 1 && cells.every(([line, ...others]) => others.length === 0 && isNumber(line!));

/** Whether the cells of a column contain the bullets of a list. */
const isListed = (cells: readonly Line[][]) =>
  cells.every(([line]) => line!.words.length === 1 && BULLET.test(line!.words[0]!.text));
