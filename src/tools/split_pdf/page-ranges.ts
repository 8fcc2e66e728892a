/** Parses the page ranges of split_pdf: `1-3`, `7`, `1-3,5` (api.md, split_pdf; decisions.md). */
import { badRequest, failed } from '../../core/errors.ts';

/** The maximum number of entries per call. */
export const MAX_RANGES = 1000;
/** The maximum number of ranges that warnings name individually. It is low, because warnings are sent in headers. */
const MAX_NAMED = 20;
/** The maximum number of pages in one entry. Only an entry with repeated pages can exceed it. */
const MAX_SELECTED = 100_000;
const MAX_ENTRY_CHARACTERS = 10_000;
const SHOWN_CHARACTERS = 60;

/** The first and the last page, from 1, inclusive. The media worker receives spans in this format, as JSON. */
export type PageSpan = readonly [first: number, last: number];

const shown = (entry: string) =>
  JSON.stringify(entry.length > SHOWN_CHARACTERS ? `${entry.slice(0, SHOWN_CHARACTERS)}…` : entry);

const malformed = (entry: string, reason: string) =>
  badRequest(
    `The range ${shown(entry)} ${reason}. Write "first-last" for a span, a page number for one page, ` +
      'or several with commas between them, as in "1-3,5"; page numbers start at 1.',
    'ranges',
  );

/**
 * Parses the spans of one entry, in the given order. White space is allowed around numbers, hyphens and commas. Throws
 * a ToolError (400) that names the entry.
 */
export function parsePageRanges(entry: string): PageSpan[] {
  if (entry.length > MAX_ENTRY_CHARACTERS) throw malformed(entry, 'is too long');
  if (entry.trim() === '') throw malformed(entry, 'is empty');
  return entry.split(',').map((part) => {
    const text = part.trim();
    if (text === '') throw malformed(entry, 'has an empty part between commas');
    const match = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(text);
    if (!match) throw malformed(entry, `has a part that is not a page or span: ${shown(text)}`);
    const first = pageOf(match[1]!);
    const last = match[2] === undefined ? first : pageOf(match[2]);
    if (first < 1 || last < 1) throw malformed(entry, 'names page 0');
    if (last < first) throw malformed(entry, `is reversed at ${shown(text)}`);
    return [first, last];
  });
}

/** Clamps the number, because spans are sent as JSON, which has no infinity. */
const pageOf = (digits: string) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER);

/**
 * Returns the pages of a document of `pageCount` pages that the spans select, from 1, in the given order, with
 * repetitions. Spans are clamped, and pages that do not exist are dropped. Throws a ToolError (400) beyond 100,000
 * pages.
 */
export function selectPages(spans: readonly PageSpan[], pageCount: number): number[] {
  const pages: number[] = [];
  for (const [first, end] of spans) {
    const last = Math.min(end, pageCount);
    if (pages.length + last - first + 1 > MAX_SELECTED) {
      throw badRequest(
        `A range selects more than ${MAX_SELECTED} pages. Repeat pages less often.`,
        'ranges',
      );
    }
    for (let page = first; page <= last; page += 1) pages.push(page);
  }
  return pages;
}

const pagesIn = (pageCount: number) => (pageCount === 1 ? '1 page' : `${pageCount} pages`);

/** Throws a ToolError (422) with the document's number of pages if no range selects a page. */
export function requirePages(selections: readonly (readonly number[])[], pageCount: number): void {
  if (selections.some(({ length }) => length > 0)) return;
  throw failed(`No range selects a page: the document has ${pagesIn(pageCount)}.`);
}

/** Returns the parts of spans that are beyond the end of the document. */
const beyondEnd = (spans: readonly PageSpan[], pageCount: number): PageSpan[] =>
  spans.flatMap(([first, last]) =>
    last > pageCount ? [[Math.max(first, pageCount + 1), last] as const] : [],
  );

/**
 * Returns one sentence for each range that exceeds the document. If there are many, the last sentence states the number
 * of the remaining ranges.
 */
export function rangeWarnings(
  ranges: readonly string[],
  entries: readonly (readonly PageSpan[])[],
  pageCount: number,
): string[] {
  const exceeding = [...entries.entries()].filter(
    ([, spans]) => beyondEnd(spans, pageCount).length > 0,
  );
  const warnings = exceeding.slice(0, MAX_NAMED).map(([index, spans]) => {
    const range = `The range ${shown(ranges[index] ?? '')}`;
    return spans.every(([first]) => first > pageCount)
      ? `${range} selects no page, so it produces no file.`
      : `${range} was cut at the last page: the document has ${pagesIn(pageCount)}.`;
  });
  const rest = exceeding.length - warnings.length;
  if (rest > 0)
    warnings.push(
      `${rest} more ${rest === 1 ? 'range extends' : 'ranges extend'} past the last page.`,
    );
  return warnings;
}

/** Returns a warning that names the selected pages that do not exist. Returns an empty list if all exist. */
export function missingPagesWarning(spans: readonly PageSpan[], pageCount: number): string[] {
  const missing = beyondEnd(spans, pageCount);
  if (missing.length === 0) return [];
  const named = missing.slice(0, MAX_NAMED).map(writtenSpan).join(', ');
  const more = missing.length > MAX_NAMED ? ' and others' : '';
  return [
    `pages: The document has ${pagesIn(pageCount)}, so the result does not contain ${named}${more}.`,
  ];
}

const writtenSpan = ([first, last]: PageSpan) => (first === last ? `${first}` : `${first}-${last}`);

/**
 * Returns the file names of the parts, one per entry, in order. `1-3` becomes `pages-1-3.pdf`. A comma becomes `_`, as
 * in `pages-1-3_5.pdf`. If two names are equal, the later one becomes `pages-1-3 (2).pdf`.
 */
export function partNames(entries: readonly (readonly PageSpan[])[]): string[] {
  const used = new Set<string>();
  return entries.map((spans) => {
    const stem = `pages-${shortened(spans.map(writtenSpan).join('_'))}`;
    let name = `${stem}.pdf`;
    for (let number = 2; used.has(name); number += 1) name = `${stem} (${number}).pdf`;
    used.add(name);
    return name;
  });
}

/** Truncates the text, because file systems limit names to 255 bytes. */
const shortened = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
