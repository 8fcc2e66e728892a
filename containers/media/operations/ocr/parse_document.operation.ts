/**
 * Implements parse_document, which extracts the text of a document. If requested, OCR reads the pages without usable
 * text.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../../../src/core/errors.ts';
import type { OcrLanguage } from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import { countWords } from '../../../../src/tools/parse_document/count-words.ts';
import { ProgramFailure } from '../../program-failure.ts';
import { joinPages } from '../join-pages.ts';
import { onlyFile } from '../only-file.ts';
import type { Operation, OperationContext, OperationFile, OperationResult } from '../operation.ts';
import { documentOperation } from '../pdf/process/document-operation.ts';
import { qpdf, qpdfRange } from '../pdf/qpdf.ts';
import { operation as extractText } from './extract_text_ocr.operation.ts';
import { otherLanguageWarnings } from './other-language.ts';

const TIME_LIMIT_MS = 240_000;
/** The maximum number of pages. extract_text_ocr has the same limit. */
const MAXIMUM_RECOGNIZED = 50;

const parse = documentOperation('parse');

/** The result of the document process when OCR still has to add the text of some pages. */
interface Unfinished {
  texts: string[];
  /** The page number, from 1, of each entry in `texts`. */
  numbers: number[];
  metadata: Record<string, unknown>;
  layout?: unknown;
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
    const recognized = recognize.slice(0, MAXIMUM_RECOGNIZED);
    const language = (params.language ?? 'eng') as OcrLanguage;
    const found = await recognizedTexts(file, recognized, language, context);
    for (const [page, text] of found) texts[numbers.indexOf(page)] = text;
    const words = texts.reduce((sum, text) => sum + countWords(text), 0);
    const text = joinPages(texts, numbers, params.format === 'markdown');
    const answer = { text, metadata: { ...metadata, words, recognised: recognized }, layout };
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
          ...otherLanguageWarnings([...found.values()], [language], [...found.keys()]),
        ],
      },
    };
  },
};

const tooMany = (left: number) =>
  `OCR is limited to ${MAXIMUM_RECOGNIZED} pages per call, so ${left} more were not recognized. Select them with \`pages\`.`;

/** Returns the recognized text of these pages. Pages are counted from 1. */
async function recognizedTexts(
  file: OperationFile,
  pages: readonly number[],
  language: OcrLanguage,
  context: OperationContext,
): Promise<Map<number, string>> {
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
  const files = [{ name: file.name, path, size: (await stat(path)).size }];
  const result = await extractText.run({ language }, files, context);
  const { text } = await jsonOf<{ text: string }>(result);
  const texts = text.split(/\n--- Page \d+ ---\n/);
  return new Map(pages.map((page, index) => [page, texts[index] ?? '']));
}

async function jsonOf<Value>(result: OperationResult): Promise<Value> {
  const pieces: Uint8Array[] = [];
  for await (const piece of result.open()) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}
