/** Reads and changes the page numbers in a field, in which each line defines a separate document. */
import { ToolError } from '../../../core/errors.ts';
import { pagesIn, rangesOf } from './page-ranges.ts';

export type PageField = HTMLInputElement | HTMLTextAreaElement;

const linesOf = (field: PageField) => field.value.split('\n');

export const filledLines = (field: PageField): string[] =>
  linesOf(field).filter((line) => line.trim() !== '');

/** Returns a message about the first error in the page numbers of a document with `total` pages, or undefined. */
export function pagesProblem(field: PageField, total: number): string | undefined {
  try {
    for (const line of filledLines(field)) pagesIn(line, total);
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return error.message;
  }
}

/** Returns the pages of each line that is not empty. The set is empty if its line is invalid. */
export const pagesByLine = (field: PageField, total: number): Set<number>[] =>
  filledLines(field).map((line) => pagesOf(line, total));

/** Adds pages to the line with the cursor, or removes them if it contains `page`. */
export function toggle(
  field: PageField,
  total: number,
  page: number,
  clicked: readonly number[],
): void {
  const lines = linesOf(field);
  const before = field.value.slice(0, field.selectionStart ?? field.value.length);
  const at = before.split('\n').length - 1;
  const pages = pagesOf(lines[at]!, total);
  lines[at] = rangesOf(pages.has(page) ? without(pages, clicked) : withPages(pages, clicked));
  setLines(field, lines, at);
}

/** Sets the lines, and places the cursor at the end of a line. The next clicked page is added to that line. */
export function setLines(
  field: PageField,
  lines: readonly string[],
  cursorLine = lines.length - 1,
): void {
  field.value = lines.join('\n');
  const at = lines.slice(0, cursorLine + 1).join('\n').length;
  field.setSelectionRange(at, at);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function pagesOf(line: string, total: number): Set<number> {
  try {
    return pagesIn(line, total);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return new Set();
  }
}

const without = (pages: Iterable<number>, others: readonly number[]): number[] =>
  [...pages].filter((page) => !others.includes(page));

/**
 * Adds pages. Sorts the result if the existing pages are ascending. Otherwise, the added pages are the last.
 */
function withPages(pages: Iterable<number>, added: readonly number[]): number[] {
  const before = [...pages];
  const all = [...before, ...without(added, before)];
  const isAscending = before.every((page, index) => index === 0 || before[index - 1]! < page);
  return isAscending ? all.sort((one, other) => one - other) : all;
}
