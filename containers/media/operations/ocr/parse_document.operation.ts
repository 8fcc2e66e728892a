/**
 * Implements parse_document, which extracts the text of a document. If requested, OCR reads the pages without usable
 * text.
 */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../../../src/core/errors.ts';
import type { OcrLanguage } from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import { countWords } from '../../../../src/tools/parse_document/count-words.ts';
import { ProgramFailure } from '../../program-failure.ts';
import { joinPages } from '../join-pages.ts';
import { onlyFile } from '../only-file.ts';
import type { Operation, OperationContext, OperationFile, OperationResult } from '../operation.ts';
import type { FormattedPages, RecognizedPageWords } from '../pdf/format-recognized.ts';
import { documentOperation } from '../pdf/process/document-operation.ts';
import { documents } from '../pdf/process/document-pool.ts';
import { qpdf, qpdfRange } from '../pdf/qpdf.ts';
import { storedResult } from '../stored-result.ts';
import { otherLanguageWarnings } from './other-language.ts';
import { MAX_OCR_PAGES, openPages } from './pages.ts';
import { readPages, TIME_LIMIT_MS } from './read-pages.ts';
import { recognizedWords } from './recognized-words.ts';

const parse = documentOperation('parse');

/** The result of the document process when OCR still has to add the text of some pages. */
interface Unfinished {
  texts: string[];
  /** The page number, from 1, of each entry in `texts`. */
  numbers: number[];
  metadata: Record<string, unknown>;
  layout?: FormattedPages['layout'];
}

export const operation: Operation = {
  ...parse,
  timeLimitMs: TIME_LIMIT_MS,
  async run(params, files, context) {
    const parsed = await parse.run(params, files, context);
    const { recognize = [], warnings = [] } = parsed.meta as {
      recognize?: number[];
      warnings?: string[];
    };
    if (recognize.length === 0) return parsed;
    const { texts, numbers, metadata, layout } = await jsonOf<Unfinished>(parsed);
    const file = onlyFile(files, 'parse_document');
    const recognized = recognize.slice(0, MAX_OCR_PAGES);
    const language = (params.language ?? 'eng') as OcrLanguage;
    const read = await recognizePages(file, recognized, language, context);
    const isMarkdown = params.format === 'markdown';
    const formatted = isMarkdown || layout ? await format(read, file, context) : undefined;
    for (const [at, { number, text }] of read.entries()) {
      texts[numbers.indexOf(number)] = isMarkdown ? formatted!.texts[at]! : text;
    }
    const words = texts.reduce((sum, text) => sum + countWords(text), 0);
    const answer = {
      text: joinPages(texts, numbers, isMarkdown),
      metadata: { ...metadata, words, recognised: recognized },
      ...(layout && { layout: withPages(layout, formatted!.layout) }),
    };
    const body = Buffer.from(JSON.stringify(answer));
    const left = recognize.length - recognized.length;
    return {
      contentType: 'application/json',
      size: body.length,
      open: () => [body],
      meta: {
        warnings: [
          ...warnings,
          ...(left > 0 ? [tooMany(left)] : []),
          ...otherLanguageWarnings(
            read.map(({ text }) => text),
            [language],
            recognized,
          ),
        ],
      },
    };
  },
};

const tooMany = (left: number) =>
  `OCR is limited to ${MAX_OCR_PAGES} pages per call. Pages without OCR: ${left}. Select them with \`pages\`.`;

/** Replaces the blocks of recognized pages. */
const withPages = (
  layout: FormattedPages['layout'],
  recognized: FormattedPages['layout'],
): FormattedPages['layout'] => {
  const pages = new Map([...layout, ...recognized].map((page) => [page.page, page]));
  return [...pages.values()].sort((a, b) => a.page! - b.page!);
};

/** Recognizes these pages, counted from 1. Returns their text and their words. */
async function recognizePages(
  file: OperationFile,
  pages: readonly number[],
  language: OcrLanguage,
  context: OperationContext,
): Promise<RecognizedPageWords[]> {
  const path = join(context.directory, 'unreadable.pdf');
  const select = ['--pages', file.path, qpdfRange(pages), '--', path];
  try {
    await qpdf(['--stream-data=preserve', '--empty', ...select], context);
  } catch (error) {
    throw error instanceof ProgramFailure
      ? new ToolError(
          'tool_failed',
          'The pages without text could not be extracted for OCR. Save the file again in a PDF program and send the new file.',
        )
      : error;
  }
  const taken = { name: file.name, path, size: (await stat(path)).size };
  const document = await openPages(taken, context);
  const read = await readPages(taken, document, [...pages.keys()], [language], context);
  const words = recognizedWords(read, document.pixelsPerPoint!);
  return read.map(({ text }, at) => ({ number: pages[at]!, text, ...words[at]! }));
}

/** Finds the headings, lists and tables of recognized pages. */
async function format(
  read: readonly RecognizedPageWords[],
  file: OperationFile,
  { directory, signal, limit }: OperationContext,
): Promise<FormattedPages> {
  const pages = join(directory, 'recognized.json');
  await writeFile(pages, JSON.stringify(read));
  const task = { params: { pages }, files: [file], directory };
  return jsonOf(storedResult(await documents.run('formatRecognized', task, signal, limit)));
}

async function jsonOf<Value>(result: OperationResult): Promise<Value> {
  const pieces: Uint8Array[] = [];
  for await (const piece of result.open()) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}
