/**
 * Joins the columns of a table to its rows. Tesseract often reads a column of numbers, such as prices, as a separate
 * block, and outputs it far from the rows.
 */
import { medianOf } from '../median.ts';
import type { TextLine } from './hocr.ts';

/** A line with its text. */
interface ReadLine extends TextLine {
  text: string;
  /** The vertical position of the line's center on the page, after the page is leveled. */
  level: number;
}

/** The lines between two blank lines of Tesseract's text. */
type Paragraph = ReadLine[];

/** Matches a number with its signs, such as a currency or percent sign, and a short unit after it. */
const AMOUNT = /^[\p{Sc}\p{N}\s.,'%+()−–-]+(?:\p{L}{1,3})?$/u;
const MAX_WORDS_OF_HEADING = 3;
/**
 * The slope of the page is the median slope of this many of its widest lines. The slopes of short lines are not
 * reliable.
 */
const WIDE_LINES = 5;

/**
 * Returns Tesseract's text of a page with the cells of number columns at the ends of their rows. `lines` are the lines
 * of the same page. Columns of prose stay in their order.
 */
export function withJoinedColumns(text: string, lines: readonly TextLine[]): string {
  const paragraphs = paragraphsIn(text, lines);
  if (!paragraphs) return text;
  const read: Paragraph[] = [];
  let isBeside = false;
  let before: ReadLine | undefined;
  for (const paragraph of paragraphs) {
    isBeside = before !== undefined && (isBeside || isAbove(paragraph[0]!, before));
    const rows: ReadLine[] | undefined = isBeside ? rowsOf(paragraph, read.flat()) : undefined;
    before = paragraph.at(-1);
    isBeside = rows !== undefined;
    if (!rows) read.push(paragraph);
    for (const [at, row] of (rows ?? []).entries()) append(row, paragraph[at]!);
  }
  if (read.length === paragraphs.length) return text;
  return read.map((paragraph) => paragraph.map((line) => line.text).join('\n')).join('\n\n');
}

/** Divides the text at its blank lines. Returns undefined if its lines are not those of the page. */
function paragraphsIn(text: string, lines: readonly TextLine[]): Paragraph[] | undefined {
  const filled = lines.filter(({ words }) => words.length > 0);
  const slope = slopeOf(filled);
  const levelOf = ({ x, y, width, height }: TextLine) => y + height / 2 - slope * (x + width / 2);
  const paragraphs: Paragraph[] = [[]];
  let at = 0;
  for (const read of text.split('\n')) {
    const line = filled[at];
    if (read.trim() === '') {
      if (paragraphs.at(-1)!.length > 0) paragraphs.push([]);
      continue;
    }
    if (!line) return undefined;
    paragraphs.at(-1)!.push({ ...line, text: read, level: levelOf(line) });
    at += 1;
  }
  return at === filled.length ? paragraphs.filter(({ length }) => length > 0) : undefined;
}

/** Returns the median slope of the widest lines. */
function slopeOf(lines: readonly TextLine[]): number {
  const wide = lines.toSorted((a, b) => b.width - a.width).slice(0, WIDE_LINES);
  return medianOf(wide.map(({ slope }) => slope));
}

/** Whether the center of a line is above another line. */
const isAbove = (line: ReadLine, other: ReadLine) => line.level < other.level - other.size / 2;

/**
 * Returns the row to the left of each line of a column. Returns undefined if the paragraph is not a column of numbers,
 * if a line has no row, or if two lines have the same row. The first line may be a heading.
 */
function rowsOf(column: Paragraph, read: readonly ReadLine[]): ReadLine[] | undefined {
  const isNumbers = column.every((line, at) => isAmount(line) || (at === 0 && isHeading(line)));
  if (!isNumbers || !column.some(isAmount)) return undefined;
  const rows = column.map((cell) => rowOf(cell, read));
  return new Set(rows).size === rows.length && rows.every((row) => row !== undefined)
    ? rows
    : undefined;
}

const isAmount = ({ text }: ReadLine) => AMOUNT.test(text) && /\p{N}/u.test(text);
const isHeading = ({ words }: ReadLine) => words.length <= MAX_WORDS_OF_HEADING;

/** Returns the nearest line to the left of a cell at the same height. */
const rowOf = (cell: ReadLine, read: readonly ReadLine[]): ReadLine | undefined =>
  read
    .filter((row) => Math.abs(row.level - cell.level) < row.size / 2)
    .filter(({ x, width }) => x + width <= cell.x)
    .toSorted((a, b) => b.x + b.width - a.x - a.width)[0];

/** Adds a cell to the end of a row. The row then reaches to the end of the cell. */
function append(row: ReadLine, cell: ReadLine): void {
  row.text += ` ${cell.text}`;
  row.width = cell.x + cell.width - row.x;
}
