/**
 * Runs parse_document in a document process. Reads the pages of a PDF as plain text, as Markdown, or as blocks with
 * bounding boxes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, tooLarge } from '../../../../src/core/errors.ts';
import { countWords } from '../../../../src/tools/parse_document/count-words.ts';
import {
  missingPagesWarning,
  type PageSpan,
  selectPages,
} from '../../../../src/tools/split_pdf/page-ranges.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import { unlessDamaged } from '../../pdf/objects.ts';
import { findHugePage, hasDamagedContent } from '../../pdf/page-content.ts';
import { readPages } from '../../pdf/pages.ts';
import { hasTangledFields } from '../../pdf/tangled-fields.ts';
import { ProgramFailure, ProgramTimeout } from '../../program-failure.ts';
import { joinPages } from '../join-pages.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { allowForPages, beyondRepair } from './input.ts';
import { markdown, plainText } from './markdown.ts';
import { markHeadings } from './page-blocks.ts';
import { layoutOf } from './page-layout.ts';
import { DocumentReader, type ReadPage } from './page-reading.ts';
import {
  MAXIMUM_TEXT_BYTES,
  pageByPage,
  SlowPage,
  textsInReadingOrder,
  tooMuchText,
} from './page-texts.ts';
import { qpdf, qpdfRange } from './qpdf.ts';
import { openReadable, type ReadablePdf } from './readable-pdf.ts';
import { pagesWithImages } from './shown-images.ts';
import {
  COVERED,
  damagedWarning,
  type Unreadable,
  unreadableReason,
  unreadableWarnings,
} from './unreadable-pages.ts';

const MAXIMUM_PAGES = 300;
/** Matches six consecutive short lines, which may be part of a table whose cells pdftotext separates. */
const TABLE_LINES = /(?:^.{1,24}\n\n?){6}/mu;

interface ParseParams {
  pages?: PageSpan[];
  format?: 'text' | 'markdown';
  layout?: boolean;
  ocr?: 'off' | 'auto';
}

/** The pages to read. */
interface Selection {
  path: string;
  document: PdfDocument | undefined;
  /** The number of each page in the caller's file, from 1. */
  numbers: number[];
  /** The selected pages whose content is damaged. */
  damaged: number[];
}

export async function parseDocument(
  params: ParseParams,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  const file = onlyFile(files, 'parse_document');
  const opened = await openReadable(file, context);
  const { pages } = opened;
  const numbers = numbersOf(params, pages);
  if (numbers.length > MAXIMUM_PAGES) {
    throw tooLarge(
      `"${file.name}" has ${pages} pages; parse_document reads at most ${MAXIMUM_PAGES}. Select fewer with "pages".`,
      'file',
    );
  }
  allowForPages(numbers.length, context);
  const selection = await select(opened, numbers, context);
  const { texts, path, document } = await textsOf(file, selection, context);
  const reader = document && unlessDamaged(() => new DocumentReader(document));
  const shown = reader ? undefined : await pagesWithImages(path, context);
  const drawingOf = (index: number) =>
    reader ? reader.drawing(index) : shown?.has(index + 1) ? COVERED : undefined;
  const unreadable = new Map<number, Unreadable>();
  for (const [index, text] of texts.entries()) {
    const reason = unreadableReason(text, () => drawingOf(index));
    if (reason) unreadable.set(numbers[index]!, reason);
  }
  const words = texts.reduce((sum, text) => sum + countWords(text), 0);
  const isRecognized = params.ocr === 'auto' && (unreadable.size > 0 || words === 0);
  if (words === 0 && !isRecognized) throw imageOnly(file, pages, unreadable);
  const read = reader
    ? await readRich(reader, path, texts, params, context)
    : new Map<number, ReadPage>();
  if (params.format === 'markdown') markHeadings([...read.values()].map(({ blocks }) => blocks));
  const written = texts.map((text, index) => {
    const page = read.get(index);
    if (!page) return text;
    if (params.format === 'markdown') {
      return isScattered(page) ? text : markdown(page.blocks, numbers[index]!);
    }
    const isBetter = page.isTagged || page.blocks.some(({ type }) => type === 'table');
    return isBetter ? plainText(page.blocks) : text;
  });
  // The empty cells of tables can make the text much longer than pdftotext's output.
  if (written.reduce((sum, text) => sum + text.length, 0) > MAXIMUM_TEXT_BYTES) throw tooMuchText();
  const answer = {
    metadata: {
      format: 'pdf',
      pages,
      words: written.reduce((sum, text) => sum + countWords(text), 0),
    },
    ...(params.layout ? { layout: layoutOf(read, numbers) } : {}),
  };
  const recognize = isRecognized ? pagesToRecognize(unreadable, numbers, words) : [];
  const body = Buffer.from(
    JSON.stringify(
      recognize.length > 0
        ? { ...answer, numbers, texts: written }
        : { text: joinPages(written, numbers, params.format === 'markdown'), ...answer },
    ),
  );
  const stored = join(context.directory, 'parsed.json');
  await writeFile(stored, body);
  const warnings = [
    ...missingPagesWarning(params.pages ?? [], pages),
    ...unreadableWarnings(unreadable, isRecognized),
    ...damagedWarning(selection.damaged),
  ];
  const meta = { warnings, recognize };
  return { contentType: 'application/json', path: stored, size: body.length, meta };
}

const FEW_BLOCKS = 20;
const WORDS_PER_BLOCK = 2;

/** Whether most blocks of the page are single words, as in vertical text. pdftotext joins such words. */
function isScattered({ blocks, isTagged }: ReadPage): boolean {
  const paragraphs = blocks.filter(({ type }) => type === 'paragraph' || type === 'list item');
  const words = paragraphs.flatMap(({ lines }) => lines.flatMap((line) => line.words)).length;
  const isSparse = words < paragraphs.length * WORDS_PER_BLOCK;
  return !isTagged && isSparse && paragraphs.length > Math.max(FEW_BLOCKS, blocks.length / 2);
}

/** Returns the pages to recognize. If no page has text, these are all pages. */
const pagesToRecognize = (
  unreadable: ReadonlyMap<number, Unreadable>,
  numbers: readonly number[],
  words: number,
) => (words === 0 ? [...numbers] : [...unreadable.keys()]);

/** Returns each selected page once, in document order. By default, all pages are selected. */
function numbersOf({ pages: spans }: ParseParams, pages: number): number[] {
  if (!spans) return Array.from({ length: pages }, (_, index) => index + 1);
  const selected = [...new Set(selectPages(spans, pages))].sort((a, b) => a - b);
  if (selected.length > 0) return selected;
  throw failed(`"pages" selects no page: the document has ${pages}.`);
}

/**
 * Returns the selected pages as a separate document, unless all are selected. Throws ToolError 422 if a page is too
 * large.
 */
async function select(
  { path, document, pages }: ReadablePdf,
  numbers: number[],
  context: OperationContext,
): Promise<Selection> {
  let damaged: number[] = [];
  if (document) {
    const all = readPages(document).list;
    const pageOf = (number: number) => all[number - 1]!;
    const huge = findHugePage(document, numbers.map(pageOf));
    if (huge !== undefined) throw slowPage(numbers[huge - 1]!);
    damaged = numbers.filter((number) => hasDamagedContent(document, pageOf(number)));
  }
  if (numbers.length === pages) return { path, document, numbers, damaged };
  const taken = join(context.directory, 'selected.pdf');
  const options = ['--stream-data=preserve', '--remove-unreferenced-resources=no'];
  await qpdf([path, ...options, '--pages', '.', qpdfRange(numbers), '--', taken], context);
  const bytes = await readFile(taken);
  return { path: taken, document: document && new PdfDocument(bytes), numbers, damaged };
}

const slowPage = (page: number) =>
  failed(`Page ${page} takes too long to read. Exclude it with "pages".`);

interface ReadTexts {
  texts: string[];
  path: string;
  document: PdfDocument | undefined;
}

/** Returns the text of each page. If poppler cannot read the file, qpdf rewrites it first. */
async function textsOf(
  file: OperationFile,
  { path, document, numbers }: Selection,
  context: OperationContext,
): Promise<ReadTexts> {
  const count = numbers.length;
  if (document && hasTangledFields(document)) {
    return textsPageByPage(await withoutForms(document, context), document, numbers, context);
  }
  try {
    return { texts: await textsInReadingOrder(path, count, context), path, document };
  } catch (error) {
    if (error instanceof ProgramTimeout) return textsPageByPage(path, document, numbers, context);
    if (!(error instanceof ProgramFailure)) throw error;
    if (error.lacksMemory) throw tooMuchMemory(file);
  }
  const anew = join(context.directory, 'pages-anew.pdf');
  try {
    const take = ['--stream-data=preserve', '--empty', '--pages', path, '1-z', '--'];
    await qpdf([...take, anew], context);
    const texts = await textsInReadingOrder(anew, count, context);
    return { texts, path: anew, document: new PdfDocument(await readFile(anew)) };
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    throw error.lacksMemory ? tooMuchMemory(file) : beyondRepair(file);
  }
}

/** Reads the pages one by one. If a page takes too long, the error names it. */
async function textsPageByPage(
  path: string,
  document: PdfDocument | undefined,
  numbers: readonly number[],
  context: OperationContext,
): Promise<ReadTexts> {
  try {
    return { texts: await pageByPage(path, numbers.length, context), path, document };
  } catch (error) {
    throw error instanceof SlowPage ? slowPage(numbers[error.page - 1]!) : error;
  }
}

/** Returns the path of a copy without the form dictionary. The pages still show the fields. */
async function withoutForms(document: PdfDocument, context: OperationContext): Promise<string> {
  const { reference, dictionary } = document.catalog;
  const update = new IncrementalUpdate(document);
  const catalog = new Map(dictionary);
  catalog.delete('AcroForm');
  update.set(reference, catalog);
  const path = join(context.directory, 'without-forms.pdf');
  await writeFile(path, [document.bytes, update.build()]);
  return path;
}

/** Returns the blocks of the pages whose plain text from pdftotext is not sufficient. */
async function readRich(
  reader: DocumentReader,
  path: string,
  texts: readonly string[],
  { format, layout }: ParseParams,
  context: OperationContext,
): Promise<Map<number, ReadPage>> {
  const needsAll = format === 'markdown' || layout === true || reader.hasStructure;
  const pages = [...texts.keys()].filter((page) => needsAll || TABLE_LINES.test(texts[page]!));
  if (pages.length === 0) return new Map();
  try {
    return await reader.read(path, pages, context);
  } catch (error) {
    if (error instanceof ProgramFailure || error instanceof ProgramTimeout) return new Map();
    throw error;
  }
}

function imageOnly(
  { name }: OperationFile,
  pages: number,
  unreadable: ReadonlyMap<number, Unreadable>,
) {
  const hasImages = [...unreadable.values()].includes('image');
  const reason = hasImages
    ? 'contains images without text'
    : 'has no text that can be extracted; its pages may be images';
  return failed(`"${name}" ${reason}. Use extract_text_ocr, or send \`ocr: "auto"\`.`, {
    metadata: { format: 'pdf', pages, words: 0, imageOnly: true },
  });
}

const tooMuchMemory = (file: OperationFile) =>
  failed(
    `Reading "${file.name}" exceeds the memory limit. If it has several pages, split it with split_pdf.`,
  );
