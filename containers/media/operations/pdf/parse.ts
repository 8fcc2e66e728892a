/** parse_document: the text layer of a PDF, page by page, in the order in which people read it. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest, failed, tooLarge } from '../../../../src/core/errors.ts';
import { MB } from '../../../../src/core/limits.ts';
import { countWords } from '../../../../src/lib/count-words.ts';
import { joinPages } from '../../../../src/lib/join-pages.ts';
import { PdfDamage } from '../../../../src/pdf/objects.ts';
import { readPages } from '../../../../src/pdf/pages.ts';
import { ProgramFailure } from '../../run-program.ts';
import type { Operation, OperationContext, OperationFile } from '../operation.ts';
import { inParallel } from './in-parallel.ts';
import { normalise, openInput, type PdfInput } from './input.ts';
import { poppler } from './poppler.ts';
import { qpdf } from './qpdf.ts';

const MAXIMUM_PAGES = 300;
/** Real pages hold some kB; the edge must hold it all. */
const MAXIMUM_TEXT_BYTES = 16 * MB;
/** qpdf's answer to --is-encrypted. */
const ENCRYPTED = 0;
const NOT_ENCRYPTED = 2;
const PAGE_BREAK = '\f';

export const parseDocument: Operation = {
  kind: 'pdf',
  async run(_params, files, context) {
    const [file] = files;
    if (!file || files.length > 1) {
      throw badRequest('parse_document takes exactly one file.', 'file');
    }
    const { input, pages } = await openReadable(file, context);
    if (pages > MAXIMUM_PAGES) {
      throw tooLarge(
        `"${file.name}" has ${pages} pages; parse_document reads at most ${MAXIMUM_PAGES}. Split it with split_pdf.`,
        'file',
      );
    }
    const texts = await pageTexts(input.path, pages, context);
    const words = texts.reduce((sum, text) => sum + countWords(text), 0);
    if (words === 0) throw imageOnly(file, pages);
    const metadata = { format: 'pdf', pages, words };
    const body = Buffer.from(JSON.stringify({ text: joinPages(texts), metadata }));
    return { contentType: 'application/json', size: body.length, open: () => [body], meta: {} };
  },
};

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
async function pageTexts(
  path: string,
  pages: number,
  context: OperationContext,
): Promise<string[]> {
  const found = (await readText(path, 1, pages, context)).split(PAGE_BREAK);
  // A page break stands behind every page.
  if (found.length === pages + 1) return found.slice(0, pages).map((text) => text.trimEnd());
  // A page that contains one itself is told from its neighbours only when it is read alone.
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
): Promise<string> {
  const out = join(context.directory, `text-${first}`);
  const span = ['-f', `${first}`, '-l', `${last}`];
  try {
    await poppler('pdftotext', ['-enc', 'UTF-8', ...span, path, out], context);
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    throw badRequest(`The text of the PDF cannot be read: ${error.reason}`, 'file');
  }
  if ((await stat(out)).size > MAXIMUM_TEXT_BYTES) throw tooMuchText();
  return readFile(out, 'utf8');
}

const tooMuchText = () =>
  failed(`The PDF holds more than ${MAXIMUM_TEXT_BYTES / MB} MB of text. Split it with split_pdf.`);
