/** Recognizes the pages of a document concurrently. Across all requests, at most one page per core is read at once. */
import { badRequest } from '../../../../src/core/errors.ts';
import type { OcrLanguage } from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import { CORES } from '../../cores.ts';
import { currentCall } from '../../current-call.ts';
import { WorkQueue } from '../../work-queue.ts';
import { namedPages } from '../named-pages.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { DocumentPages } from './document-pages.ts';
import { isCertain, type RecognizedPage, readPage } from './read-page.ts';
import { UnreadableImage } from './tesseract.ts';

/** The time limit of an operation that recognizes text, in milliseconds. */
export const TIME_LIMIT_MS = 240_000;
/** A page with a larger share of unread ink causes a warning. Drawings and stains cause a smaller share. */
const MAX_UNREAD = 0.35;
const PROCESSES = new WorkQueue(CORES, Number.POSITIVE_INFINITY, undefined, TIME_LIMIT_MS);

/**
 * Returns warnings about pages whose text OCR probably missed or invented.
 * @param indices the index of each of `pages` in the document, from 0
 */
export function recognitionWarnings(
  pages: readonly RecognizedPage[],
  indices: readonly number[],
): string[] {
  const warning = (concerns: (page: RecognizedPage) => boolean, text: string): string[] => {
    const concerned = indices.filter((_, at) => concerns(pages[at]!));
    return concerned.length === 0
      ? []
      : [`${namedPages(concerned.map((index) => index + 1))}: ${text}`];
  };
  return [
    ...warning(
      ({ unread }) => unread > MAX_UNREAD,
      'OCR found no words in large areas that look like text. They may be images, or text that OCR missed.',
    ),
    ...warning(
      (page) => page.characters > 0 && !isCertain(page),
      'OCR is unsure of most of the text. It may be noise, handwriting or text in another language.',
    ),
  ];
}

/**
 * Recognizes the text of these pages, counted from 0. The first failure aborts the remaining pages and is thrown. If
 * Tesseract cannot read an image, throws ToolError 400 naming the file.
 */
export async function readPages(
  file: OperationFile,
  document: DocumentPages,
  indices: readonly number[],
  languages: readonly OcrLanguage[],
  context: OperationContext,
): Promise<RecognizedPage[]> {
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  let done = 0;
  const one = async (index: number): Promise<RecognizedPage> => {
    const ticket = PROCESSES.enter(currentCall()?.caller);
    try {
      await ticket.acquire(signal);
      const page = await readPage(document, index, languages, { ...context, signal });
      done += 1;
      context.progress?.(done / indices.length, `page ${done} of ${indices.length}`);
      return page;
    } catch (error) {
      failure.abort(error);
      throw error;
    } finally {
      ticket.leave();
    }
  };
  const all = indices.map(one);
  // No process may outlive its request, so the failure is reported only after the processes of the aborted pages have
  // exited.
  await Promise.allSettled(all);
  context.signal.throwIfAborted();
  if (failure.signal.reason instanceof UnreadableImage) {
    throw badRequest(
      `"${file.name}" cannot be read as an image. It may be damaged or truncated.`,
      'file',
    );
  }
  failure.signal.throwIfAborted();
  return Promise.all(all);
}
