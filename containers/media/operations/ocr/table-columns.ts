/**
 * Joins the columns of a table to its rows. Tesseract often reads a column of numbers, such as prices, as a block of
 * its own, which its text lists far from the rows.
 */
import type { TextLine } from './hocr.ts';

/** A line with its text. */
interface ReadLine extends TextLine {
  text: string;
}

/** The lines between two blank lines of Tesseract's text. */
type Paragraph = ReadLine[];

/** Matches digits and signs, such as those of a number with a currency or a percent sign, and a short unit. */
const AMOUNT = /^[\p{Sc}\p{N}\s.,'%+()−–-]+(?:\p{L}{1,3})?$/u;
const MOST_WORDS_OF_HEADING = 3;

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
    isBeside = before !== undefined && (isBeside || middleOf(paragraph[0]!) < before.y);
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
  const paragraphs: Paragraph[] = [[]];
  let at = 0;
  for (const read of text.split('\n')) {
    if (read.trim() !== '') paragraphs.at(-1)!.push({ ...filled[at++]!, text: read });
    else if (paragraphs.at(-1)!.length > 0) paragraphs.push([]);
  }
  return at === filled.length ? paragraphs.filter(({ length }) => length > 0) : undefined;
}

/**
 * Returns the rows to whose right the lines of a column stand. Returns undefined if the paragraph is not a column of
 * numbers, or if a line has no row. The first line may be a heading.
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
const isHeading = ({ words }: ReadLine) => words.length <= MOST_WORDS_OF_HEADING;

/** Returns the nearest line to the left of a cell at the same height. */
function rowOf(cell: ReadLine, read: readonly ReadLine[]): ReadLine | undefined {
  const middle = middleOf(cell);
  return read
    .filter(({ x, y, width, height }) => y < middle && middle < y + height && x + width <= cell.x)
    .toSorted((a, b) => b.x + b.width - a.x - a.width)[0];
}

const middleOf = ({ y, height }: TextLine) => y + height / 2;

/** Adds a cell to the end of a row. The row then reaches to the end of the cell. */
function append(row: ReadLine, cell: ReadLine): void {
  row.text += ` ${cell.text}`;
  row.width = cell.x + cell.width - row.x;
}
