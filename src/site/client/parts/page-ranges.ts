/** Parses and formats page ranges such as `2-4, 7`. */
import { badRequest } from '../../../core/errors.ts';
import { parsePageRanges } from '../../../tools/split_pdf/page-ranges.ts';

/**
 * Returns the pages of one line. Throws a ToolError if the line is invalid or names pages beyond `total`.
 */
export function pagesIn(line: string, total: number): Set<number> {
  const pages = new Set<number>();
  for (const [first, last] of parsePageRanges(line)) {
    if (last > total) throw badRequest(beyond(last, total));
    for (let page = first; page <= last; page++) pages.add(page);
  }
  return pages;
}

const beyond = (page: number, total: number) =>
  total === 1
    ? `There is no page ${page}: the document has only one page.`
    : `There is no page ${page}: the document has ${total} pages.`;

/** Returns these pages in the shortest notation that preserves their order. */
export function rangesOf(pages: Iterable<number>): string {
  const spans: [first: number, last: number][] = [];
  for (const page of pages) {
    const span = spans.at(-1);
    if (span && page === span[1] + 1) span[1] = page;
    else spans.push([page, page]);
  }
  return spans.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ');
}
