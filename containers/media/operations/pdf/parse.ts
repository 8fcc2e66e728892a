/** parse_document, in a document process: the text layer of a PDF, page by page, in the order in which people read it. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest, failed, tooLarge } from '../../../../src/core/errors.ts';
import { MB } from '../../../../src/core/limits.ts';
import { countWords } from '../../../../src/tools/parse_document/count-words.ts';
import { PdfDamage } from '../../pdf/objects.ts';
import { readPages } from '../../pdf/pages.ts';
import { ProgramFailure } from '../../run-program.ts';
import { joinPages } from '../join-pages.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { inParallel } from './in-parallel.ts';
import { allowForPages, beyondRepair, normalise, openInput, type PdfInput } from './input.ts';
import {
  compoundsIn,
  endsLinesInHyphens,
  flowsOfPages,
  lacksHyphens,
  withHyphens,
} from './line-hyphens.ts';
import { poppler } from './poppler.ts';
import { qpdf } from './qpdf.ts';
import { isDrawnInOrder, wordsOfPages } from './reading-order.ts';

const MAXIMUM_PAGES = 300;
/** Real pages hold some kB; the edge must hold it all. */
const MAXIMUM_TEXT_BYTES = 16 * MB;
/** Words with their places, some 100 bytes each; of more the order is not judged. */
const MAXIMUM_BOXES_BYTES = 64 * MB;
/** qpdf's answer to --is-encrypted. */
const ENCRYPTED = 0;
const NOT_ENCRYPTED = 2;
const PAGE_BREAK = '\f';

export async function parseDocument(
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  const file = onlyFile(files, 'parse_document');
  const { input, pages } = await openReadable(file, context);
  if (pages > MAXIMUM_PAGES) {
    throw tooLarge(
      `"${file.name}" has ${pages} pages; parse_document reads at most ${MAXIMUM_PAGES}. Split it with split_pdf.`,
      'file',
    );
  }
  allowForPages(pages, context);
  const texts = await textsOf(file, input, pages, context);
  const words = texts.reduce((sum, text) => sum + countWords(text), 0);
  if (words === 0) throw imageOnly(file, pages);
  const metadata = { format: 'pdf', pages, words };
  const body = Buffer.from(JSON.stringify({ text: joinPages(texts), metadata }));
  const path = join(context.directory, 'parsed.json');
  await writeFile(path, body);
  return { contentType: 'application/json', path, size: body.length, meta: {} };
}

/** The text of each page; of a file that poppler does not read as it stands, from a page tree written anew. */
async function textsOf(
  file: OperationFile,
  input: PdfInput,
  pages: number,
  context: OperationContext,
): Promise<string[]> {
  try {
    return await textsInReadingOrder(input.path, pages, context);
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (error.lacksMemory) throw tooMuchMemory(file);
  }
  const anew = join(context.directory, 'pages-anew.pdf');
  try {
    const take = ['--stream-data=preserve', '--empty', '--pages', input.path, '1-z', '--'];
    await qpdf([...take, anew], context);
    return await textsInReadingOrder(anew, pages, context);
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    throw error.lacksMemory ? tooMuchMemory(file) : beyondRepair(file);
  }
}

const imageOnly = (file: OperationFile, pages: number) =>
  failed(
    `"${file.name}" has no text layer: its pages are pictures. Read it with extract_text_ocr instead.`,
    { metadata: { format: 'pdf', pages, words: 0, imageOnly: true } },
  );

/** Opens a PDF and counts its pages. Throws ToolError 400 where it is encrypted or cannot be read. */
async function openReadable(
  file: OperationFile,
  context: OperationContext,
): Promise<{ input: PdfInput; pages: number }> {
  const input = await openInput(file, context);
  if (input.normalised && (await isEncrypted(file, context))) {
    throw badRequest(
      `"${file.name}" is encrypted. Remove its protection and send it again.`,
      'file',
    );
  }
  try {
    return { input, pages: readPages(input.document).list.length };
  } catch (error) {
    if (!(error instanceof PdfDamage)) throw error;
  }
  const sound = await normalise(file, context);
  return { input: sound, pages: readPages(sound.document).list.length };
}

async function isEncrypted(file: OperationFile, context: OperationContext): Promise<boolean> {
  const okExitCodes = [ENCRYPTED, NOT_ENCRYPTED];
  try {
    const { exitCode } = await qpdf(['--is-encrypted', file.path], context, okExitCodes);
    return exitCode === ENCRYPTED;
  } catch (error) {
    // It was repaired past what qpdf reads of it as it stands.
    if (error instanceof ProgramFailure) return false;
    throw error;
  }
}

/** The text of each page, without the white space at its end. */
async function textsInReadingOrder(
  path: string,
  pages: number,
  context: OperationContext,
): Promise<string[]> {
  // The second order is read beside the first, on another core.
  const [found, drawn] = await Promise.all([
    splitPages(path, pages, context),
    splitPages(path, pages, context, ['-raw']),
  ]);
  if (!found) return pageByPage(path, pages, context);
  if (!drawn) return found;
  const numbers = found.map((_, index) => index);
  const unlike = numbers.filter((page) => letters(found[page]!) !== letters(drawn[page]!));
  const fewer = numbers.filter((page) => lacksHyphens(found[page]!, drawn[page]!));
  const compounds = compoundsIn(fewer.length > 0 ? found : []);
  const lacking = fewer.filter((page) => endsLinesInHyphens(drawn[page]!, compounds));
  const [better, flows] = await Promise.all([
    drawnInOrder(path, unlike, context),
    flowsOf(path, lacking, context),
  ]);
  return found.map((text, page) => {
    if (better.has(page)) return drawn[page]!;
    const lines = flows.get(page);
    return lines ? withHyphens(text, lines, compounds) : text;
  });
}

/** Hyphens apart, which only the order of drawing keeps. */
const letters = (text: string) => text.replace(/[\s-]+/g, '');

/** The lines of these pages, counted from 0; none where they are too many. */
async function flowsOf(
  path: string,
  pages: readonly number[],
  context: OperationContext,
): Promise<Map<number, string[][]>> {
  const listed = await listing(path, pages, context, ['-bbox-layout']);
  const flows = flowsOfPages(listed);
  return new Map(pages.map((page) => [page, flows[page - pages[0]!] ?? []]));
}

/** What pdftotext lists of the pages from the first of these to the last; nothing where it is too much. */
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
  return (await stat(listed)).size > MAXIMUM_BOXES_BYTES ? '' : readFile(listed, 'utf8');
}

/** Those of these pages, counted from 0, that read better as they were drawn. */
async function drawnInOrder(
  path: string,
  pages: readonly number[],
  context: OperationContext,
): Promise<Set<number>> {
  const first = pages[0] ?? 0;
  const [found = [], drawn = []] = await Promise.all(
    [['-bbox'], ['-bbox', '-raw']].map(async (options) =>
      wordsOfPages(await listing(path, pages, context, options)),
    ),
  );
  const better = (page: number) =>
    isDrawnInOrder(found[page - first] ?? [], drawn[page - first] ?? []);
  return new Set(pages.filter(better));
}

/** The text of each page; undefined where pages hold page breaks themselves. */
async function splitPages(
  path: string,
  pages: number,
  context: OperationContext,
  options: readonly string[] = [],
): Promise<string[] | undefined> {
  const found = (await readText(path, 1, pages, context, options)).split(PAGE_BREAK);
  // A page break stands behind every page.
  if (found.length !== pages + 1) return undefined;
  return found.slice(0, pages).map((text) => text.trimEnd());
}

/** A page that contains a page break itself is told from its neighbours only when it is read alone. */
async function pageByPage(
  path: string,
  pages: number,
  context: OperationContext,
): Promise<string[]> {
  const texts: string[] = [];
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  let length = 0;
  await inParallel(numbers, async (page) => {
    const text = (await readText(path, page, page, context)).replace(/\f$/, '');
    length += text.length;
    if (length > MAXIMUM_TEXT_BYTES) throw tooMuchText();
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
  if ((await stat(out)).size > MAXIMUM_TEXT_BYTES) throw tooMuchText();
  return readFile(out, 'utf8');
}

/** The path of what pdftotext writes of these pages. Throws ProgramFailure. */
async function written(
  path: string,
  first: number,
  last: number,
  context: OperationContext,
  options: readonly string[],
): Promise<string> {
  // By its source: where reading that fails, a program that still runs writes elsewhere than those after it.
  const out = `${path}.text-${first}${options.join('')}`;
  const span = ['-f', `${first}`, '-l', `${last}`];
  await poppler('pdftotext', ['-enc', 'UTF-8', ...options, ...span, path, out], context);
  return out;
}

const tooMuchMemory = (file: OperationFile) =>
  failed(
    `Reading "${file.name}" needs more memory than is given to one. Split it with split_pdf if it has several pages.`,
  );

const tooMuchText = () =>
  failed(`The PDF holds more than ${MAXIMUM_TEXT_BYTES / MB} MB of text. Split it with split_pdf.`);
