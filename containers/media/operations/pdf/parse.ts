/**
 * Runs parse_document in a document process. Reads the pages of a PDF as plain text, as Markdown, or as blocks with
 * bounding boxes.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, tooLarge } from '../../../../src/core/errors.ts';
import { countWords } from '../../../../src/tools/parse_document/count-words.ts';
import {
  missingPagesWarning,
  type PageSpan,
  selectPages,
} from '../../../../src/tools/split_pdf/page-ranges.ts';
import { unlessDamaged } from '../../pdf/objects.ts';
import { ProgramFailure, ProgramTimeout } from '../../program-failure.ts';
import { joinPages } from '../join-pages.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { markCodeTables } from './code-tables.ts';
import { allowForPages } from './input.ts';
import { isScattered, markdown, plainText } from './markdown.ts';
import { layoutOf } from './page-layout.ts';
import { DocumentReader, type ReadPage } from './page-reading.ts';
import { MAX_TEXT_BYTES, tooMuchText } from './page-texts.ts';
import { openReadable } from './readable-pdf.ts';
import { hasRightToLeft } from './right-to-left.ts';
import { select, textsOf } from './selected-pages.ts';
import { pagesWithImages } from './shown-images.ts';
import { readTypewritten } from './typewritten.ts';
import {
  COVERED,
  type DrawnParts,
  damagedWarning,
  plainTextWarning,
  type Unreadable,
  unreadableReason,
  unreadableWarnings,
} from './unreadable-pages.ts';
import { markHeadings } from './untagged-headings.ts';

const MAX_PAGES = 300;
/** Matches six consecutive short lines, which may be part of a table whose cells pdftotext separates. */
const TABLE_LINES = /(?:^.{1,24}\n\n?){6}/mu;

interface ParseParams {
  pages?: PageSpan[];
  format?: 'text' | 'markdown';
  layout?: boolean;
  ocr?: 'off' | 'auto';
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
  if (numbers.length > MAX_PAGES) {
    throw tooLarge(
      `"${file.name}" has ${pages} pages; parse_document reads at most ${MAX_PAGES}. Select fewer with "pages".`,
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
  const unreadable = unreadablePages(texts, numbers, drawingOf);
  const words = texts.reduce((sum, text) => sum + countWords(text), 0);
  const isRecognized = params.ocr === 'auto' && (unreadable.size > 0 || words === 0);
  if (words === 0 && !isRecognized) throw imageOnly(file, pages, unreadable);
  const read = reader
    ? await readRich(reader, path, texts, params, context)
    : new Map<number, ReadPage>();
  if (params.format === 'markdown') {
    const blocks = [...read.values()].map((page) => page.blocks);
    markHeadings(blocks);
    markCodeTables(blocks);
    readTypewritten([...read.values()].flatMap((page) => (page.isTagged ? [] : [page.blocks])));
  }
  const written = texts.map((text, index) =>
    textOfPage(text, read.get(index), numbers[index]!, params.format),
  );
  // The empty cells of tables can make the text much longer than pdftotext's output.
  const bytes = written.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_TEXT_BYTES) throw tooMuchText();
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
  const needsBlocks = params.format === 'markdown' || params.layout === true;
  const plain = numbers.filter(
    (number, index) => texts[index] !== '' && !read.has(index) && !recognize.includes(number),
  );
  const warnings = [
    ...missingPagesWarning(params.pages ?? [], pages),
    ...unreadableWarnings(unreadable, isRecognized),
    ...damagedWarning(selection.damaged),
    ...(needsBlocks ? plainTextWarning(plain) : []),
  ];
  const meta = { warnings, recognize };
  return { contentType: 'application/json', path: stored, size: body.length, meta };
}

/** Returns the reasons why the text of pages does not match their appearance, by page number. */
function unreadablePages(
  texts: readonly string[],
  numbers: readonly number[],
  drawingOf: (index: number) => DrawnParts | undefined,
): Map<number, Unreadable> {
  const unreadable = new Map<number, Unreadable>();
  for (const [index, text] of texts.entries()) {
    const reason = unreadableReason(text, () => drawingOf(index));
    if (reason) unreadable.set(numbers[index]!, reason);
  }
  return unreadable;
}

/** Returns the text of a page in the format of the call. `text` is the text from pdftotext, and `page` its blocks. */
function textOfPage(
  text: string,
  page: ReadPage | undefined,
  number: number,
  format: ParseParams['format'],
): string {
  if (!page) return text;
  if (format === 'markdown') return isScattered(page) ? text : markdown(page.blocks, number);
  const isBetter =
    page.isTagged || page.isTurned || page.blocks.some(({ type }) => type === 'table');
  return isBetter ? plainText(page.blocks) : text;
}

/** Returns the pages to recognize. If no selected page has text, these are all selected pages. */
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
  throw failed(`"pages" selects no page: the last page of the document is ${pages}.`);
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
  const pages = [...texts.keys()].filter(
    (page) =>
      needsAll || TABLE_LINES.test(texts[page]!) || hasRightToLeft([{ text: texts[page]! }]),
  );
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
