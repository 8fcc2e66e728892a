/** Reads the text of each page with pdftotext, using the better of its two orders. */
import { readFile, stat } from 'node:fs/promises';
import { failed } from '../../../../src/core/errors.ts';
import { MB } from '../../../../src/core/limits.ts';
import { ProgramTimeout } from '../../program-failure.ts';
import type { OperationContext } from '../operation.ts';
import { type Word, wordsOfPages } from './bbox-words.ts';
import { inParallel } from './in-parallel.ts';
import {
  compoundsIn,
  endsLinesInHyphens,
  flowsOfPages,
  lacksHyphens,
  withHyphens,
  withWholeWords,
} from './line-hyphens.ts';
import { poppler } from './poppler.ts';
import { isDrawnInOrder } from './reading-order.ts';

/**
 * The maximum size of a document's text in UTF-8, because the edge must hold the text in memory. A page usually contains
 * a few kB of text.
 */
export const MAX_TEXT_BYTES = 16 * MB;
/**
 * The maximum size, in bytes, of the list of words with their positions. A word needs about 100 bytes. A larger list is
 * treated as empty, so the pages have no blocks, and the order of their words is not checked.
 */
const MAX_BOXES_BYTES = 64 * MB;
const PAGE_BREAK = '\f';

/** Thrown if pdftotext takes too long to read a page. `page` is counted from 1. */
export class SlowPage extends Error {
  readonly page: number;
  constructor(page: number) {
    super(`page ${page} takes too long`);
    this.page = page;
  }
}

/** Returns the text of each page without trailing white space. */
export async function textsInReadingOrder(
  path: string,
  pages: number,
  context: OperationContext,
): Promise<string[]> {
  const [found, drawn] = await Promise.all([
    splitPages(path, pages, context),
    splitPages(path, pages, context, ['-raw']),
  ]);
  if (!found) return pageByPage(path, pages, context);
  if (!drawn) return found;
  const numbers = found.map((_, index) => index);
  const unlike = numbers.filter((page) => letters(found[page]!) !== letters(drawn[page]!));
  const fewer = numbers.filter((page) => lacksHyphens(found[page]!, drawn[page]!));
  const compounds = compoundsIn(found);
  const lacking = fewer.filter((page) => endsLinesInHyphens(drawn[page]!, compounds));
  const [better, flows] = await Promise.all([
    drawnInOrder(path, unlike, context),
    flowsOf(path, lacking, context),
  ]);
  return found.map((text, page) => {
    if (better.has(page)) return withWholeWords(drawn[page]!, compounds);
    const lines = flows.get(page);
    return withWholeWords(lines ? withHyphens(text, lines, compounds) : text, compounds);
  });
}

/** Removes white space and hyphens. Hyphens at line ends occur only in drawing order. */
const letters = (text: string) => text.replace(/[\s-]+/g, '');

/** Returns the lines of these pages, counted from 0. There are no lines if the listing is too large. */
async function flowsOf(
  path: string,
  pages: readonly number[],
  context: OperationContext,
): Promise<Map<number, string[][]>> {
  const listed = await listing(path, pages, context, ['-bbox-layout']);
  const flows = flowsOfPages(listed);
  return new Map(pages.map((page) => [page, flows[page - pages[0]!] ?? []]));
}

/**
 * Returns pdftotext's output for all pages from the first to the last of `pages`. Returns an empty string if the output
 * is too large.
 */
async function listing(
  path: string,
  pages: readonly number[],
  context: OperationContext,
  options: readonly string[],
): Promise<string> {
  const [first] = pages;
  const last = pages.at(-1);
  if (first === undefined || last === undefined) return '';
  const listed = await written(path, first + 1, last + 1, context, options);
  return (await stat(listed)).size > MAX_BOXES_BYTES ? '' : readFile(listed, 'utf8');
}

/** Returns the indexes, from 0, of the pages that read better in drawing order. */
async function drawnInOrder(
  path: string,
  pages: readonly number[],
  context: OperationContext,
): Promise<Set<number>> {
  const words = await wordsInBothOrders(path, pages, context);
  const better = ([, { found, drawn }]: [number, { found: Word[]; drawn: Word[] }]) =>
    isDrawnInOrder(found, drawn);
  return new Set([...words].filter(better).map(([page]) => page));
}

/**
 * Returns the words of these pages, counted from 0, in two orders. `found` is the layout order that pdftotext
 * determines, and `drawn` is the drawing order.
 */
export async function wordsInBothOrders(
  path: string,
  pages: readonly number[],
  context: OperationContext,
): Promise<Map<number, { found: Word[]; drawn: Word[] }>> {
  const first = pages[0] ?? 0;
  const [found = [], drawn = []] = await Promise.all(
    [['-bbox'], ['-bbox', '-raw']].map(async (options) =>
      wordsOfPages(await listing(path, pages, context, options)),
    ),
  );
  return new Map(
    pages.flatMap((page) => {
      const words = { found: found[page - first], drawn: drawn[page - first] };
      return words.found && words.drawn ? [[page, { found: words.found, drawn: words.drawn }]] : [];
    }),
  );
}

/** Returns the text of each page, or undefined if the number of page breaks is wrong, as text can contain them too. */
async function splitPages(
  path: string,
  pages: number,
  context: OperationContext,
  options: readonly string[] = [],
): Promise<string[] | undefined> {
  const found = (await readText(path, 1, pages, context, options)).split(PAGE_BREAK);
  // A page break follows every page.
  if (found.length !== pages + 1) return undefined;
  return found.slice(0, pages).map((text) => text.trimEnd());
}

/** Reads pages one by one, which is slower. Throws SlowPage. */
export async function pageByPage(
  path: string,
  pages: number,
  context: OperationContext,
): Promise<string[]> {
  const texts: string[] = [];
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  let bytes = 0;
  await inParallel(numbers, async (page) => {
    const read = readText(path, page, page, context).catch((error: unknown) => {
      throw error instanceof ProgramTimeout ? new SlowPage(page) : error;
    });
    const text = (await read).replace(/\f$/, '');
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_TEXT_BYTES) throw tooMuchText();
    texts[page - 1] = text.trimEnd();
  });
  return texts;
}

async function readText(
  path: string,
  first: number,
  last: number,
  context: OperationContext,
  options: readonly string[] = [],
): Promise<string> {
  const out = await written(path, first, last, context, options);
  if ((await stat(out)).size > MAX_TEXT_BYTES) throw tooMuchText();
  return readFile(out, 'utf8');
}

/** Returns the path of pdftotext's output for these pages. Throws the errors of `poppler`. */
async function written(
  path: string,
  first: number,
  last: number,
  context: OperationContext,
  options: readonly string[],
): Promise<string> {
  // The name of the output depends on its source. Therefore, a program that is still running after a failure cannot
  // overwrite the output of the next attempt.
  const out = `${path}.text-${first}${options.join('')}`;
  const span = ['-f', `${first}`, '-l', `${last}`];
  await poppler('pdftotext', ['-q', '-enc', 'UTF-8', ...options, ...span, path, out], context);
  return out;
}

export const tooMuchText = () =>
  failed(`The PDF contains more than ${MAX_TEXT_BYTES / MB} MB of text. Split it with split_pdf.`);
