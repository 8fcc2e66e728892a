/** parse_document, in a document process: extracts the text layer of a PDF page by page, in reading order. */
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
/** Real pages have some kB; the edge must hold all of it. */
const MAXIMUM_TEXT_BYTES = 16 * MB;
/** Words with positions, about 100 bytes each; the order of longer documents is not checked. */
const MAXIMUM_BOXES_BYTES = 64 * MB;
/** qpdf's exit code of --is-encrypted. */
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

/** The text of each page. If poppler cannot read the file, its page tree is rewritten first. */
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
  failed(`"${file.name}" has no text layer: its pages are images. Use extract_text_ocr instead.`, {
    metadata: { format: 'pdf', pages, words: 0, imageOnly: true },
  });

/** Opens a PDF and counts its pages. Throws ToolError 400 if it is encrypted or cannot be read. */
async function openReadable(
  file: OperationFile,
  context: OperationContext,
): Promise<{ input: PdfInput; pages: number }> {
  const input = await openInput(file, context);
  if (input.normalised && (await isEncrypted(file, context))) {
    throw badRequest(
      `"${file.name}" is encrypted. Remove the protection and send it again.`,
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
    // The original is so damaged that qpdf cannot read it; the repaired copy is not encrypted.
    if (error instanceof ProgramFailure) return false;
    throw error;
  }
}

/** The text of each page, without trailing white space. */
async function textsInReadingOrder(
  path: string,
  pages: number,
  context: OperationContext,
): Promise<string[]> {
  // Both orders are read concurrently.
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

/** Ignores hyphens, which only drawing order preserves. */
const letters = (text: string) => text.replace(/[\s-]+/g, '');

/** The lines of these pages, counted from 0; none if there are too many. */
async function flowsOf(
  path: string,
  pages: readonly number[],
  context: OperationContext,
): Promise<Map<number, string[][]>> {
  const listed = await listing(path, pages, context, ['-bbox-layout']);
  const flows = flowsOfPages(listed);
  return new Map(pages.map((page) => [page, flows[page - pages[0]!] ?? []]));
}

/** pdftotext's listing of the first to the last of these pages; empty if it is too large. */
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

/** The pages, counted from 0, that read better in drawing order. */
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

/** The text of each page; undefined if pages contain page breaks. */
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

/** Reads pages one by one, for pages that contain a page break character. */
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

/** The path of pdftotext's output for these pages. Throws ProgramFailure. */
async function written(
  path: string,
  first: number,
  last: number,
  context: OperationContext,
  options: readonly string[],
): Promise<string> {
  // Named after its source, so that a program that still runs after a failure writes to another file.
  const out = `${path}.text-${first}${options.join('')}`;
  const span = ['-f', `${first}`, '-l', `${last}`];
  await poppler('pdftotext', ['-enc', 'UTF-8', ...options, ...span, path, out], context);
  return out;
}

const tooMuchMemory = (file: OperationFile) =>
  failed(
    `Reading "${file.name}" exceeds the memory limit. If it has several pages, split it with split_pdf.`,
  );

const tooMuchText = () =>
  failed(
    `The PDF contains more than ${MAXIMUM_TEXT_BYTES / MB} MB of text. Split it with split_pdf.`,
  );
