/**
 * Makes the searchable PDF for extract_text_ocr. Adds invisible text to the pages without usable text, and compresses
 * the file as compress_pdf does.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OcrLanguage } from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import type { OperationContext, OperationFile, OperationResult } from '../operation.ts';
import { operation as compress } from '../pdf/compress_pdf.operation.ts';
import { documents } from '../pdf/process/document-pool.ts';
import { fileResult } from '../stored-result.ts';
import type { DocumentPages } from './document-pages.ts';
import { readPages, recognitionWarnings, TIME_LIMIT_MS } from './read-pages.ts';

/** The time, in milliseconds, reserved for the steps after compression. */
const REST_MS = 15_000;

export async function searchablePdf(
  file: OperationFile,
  document: DocumentPages,
  languages: readonly OcrLanguage[],
  context: OperationContext,
): Promise<OperationResult> {
  const end = performance.now() + TIME_LIMIT_MS - REST_MS;
  const { directory, signal, limit } = context;
  const { path, unread, warnings } = await document.asPdf();
  const read = await readPages(file, document, unread, languages, context);
  const layers = join(directory, 'layers.json');
  const lines = read.map(({ lines, toPage, width, height }, at) => ({
    index: unread[at],
    lines,
    toPage,
    width,
    height,
  }));
  await writeFile(layers, JSON.stringify(lines));
  const task = { params: { layers }, files: [{ ...file, path }], directory };
  const layered = await documents.run('layer', task, signal, limit);
  const compressed = await compressedWithin(
    end - performance.now(),
    { ...file, ...layered },
    context,
  );
  const { pages, isSigned } = layered;
  const all = [...document.warnings, ...warnings, ...recognitionWarnings(read, unread)];
  const left = document.count - unread.length;
  if (left > 0)
    all.push(`Pages that already had text were left unchanged: ${left} of ${document.count}.`);
  if (isSigned) all.push('The digital signature of the file does not cover the added text.');
  const meta = { pages, warnings: all };
  if (compressed) return { ...compressed, meta };
  return fileResult({ ...layered, contentType: 'application/pdf', meta });
}

/** Returns the compressed file, or undefined if compression takes longer than `milliseconds` or saves nothing. */
async function compressedWithin(
  milliseconds: number,
  file: OperationFile,
  context: OperationContext,
): Promise<OperationResult | undefined> {
  const deadline = AbortSignal.timeout(Math.max(0, Math.floor(milliseconds)));
  try {
    const signal = AbortSignal.any([context.signal, deadline]);
    const result = await compress.run({}, [file], { ...context, signal });
    return 'unchanged' in result.meta ? undefined : result;
  } catch (error) {
    if (context.signal.aborted || !deadline.aborted) throw error;
    return undefined;
  }
}
