/** extract_text_ocr: recognises the text of an image or PDF page by page, one process per page. */
import { badRequest } from '../../../../src/core/errors.ts';
import {
  OCR_LANGUAGES,
  type OcrLanguage,
} from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import { CORES } from '../../cores.ts';
import { currentCall } from '../../current-call.ts';
import { WorkQueue } from '../../work-queue.ts';
import { images } from '../image/process/image-pool.ts';
import { joinPages } from '../join-pages.ts';
import { onlyFile } from '../only-file.ts';
import type { Operation, OperationContext } from '../operation.ts';
import type { DocumentPages } from './document-pages.ts';
import { openPages } from './pages.ts';
import { confidenceOf, type RecognisedPage, readPage } from './read-page.ts';
import { UnreadableImage } from './tesseract.ts';

const TIME_LIMIT_MS = 240_000;
/** Pages of which more is unread get a warning: below it are drawings and stains. */
const MOST_UNREAD = 0.35;
/** One process per core, for all requests together. */
const PROCESSES = new WorkQueue(CORES, Number.POSITIVE_INFINITY, undefined, TIME_LIMIT_MS);

export const operation: Operation = {
  kind: 'ocr',
  prepare: () => images.warm(),
  timeLimitMs: TIME_LIMIT_MS,
  async run(params, files, context) {
    const languages = (params.languages ?? [params.language]) as OcrLanguage[];
    const file = onlyFile(files, 'extract_text_ocr');
    if (!languages.every((language) => Object.hasOwn(OCR_LANGUAGES, language))) {
      throw badRequest(`language must be one of ${Object.keys(OCR_LANGUAGES).join(', ')}.`);
    }
    const document = await openPages(file, context);
    const pages = await readAll(document, languages, context).catch((error: unknown) => {
      if (!(error instanceof UnreadableImage)) throw error;
      throw badRequest(
        `"${file.name}" cannot be read as an image. It may be damaged or truncated.`,
        'file',
      );
    });
    const warnings = [...document.warnings, ...unreadWarnings(pages)];
    const body = Buffer.from(
      JSON.stringify({
        text: joinPages(pages.map(({ text }) => text)),
        language: languages[0],
        ...(params.languages !== undefined && { languages }),
        confidence: confidenceOf(pages),
        ...(params.output === 'words' && { pages: pages.map(wordsOf(document)) }),
      }),
    );
    return {
      contentType: 'application/json',
      size: body.length,
      open: () => [body],
      meta: { pages: document.count, warnings },
    };
  },
};

/** Names the pages on which much that looks like text gave no words. */
function unreadWarnings(pages: readonly RecognisedPage[]): string[] {
  const unread = pages.flatMap((page, index) => (page.unread > MOST_UNREAD ? [index + 1] : []));
  if (unread.length === 0) return [];
  const named = `${unread.length > 1 ? 'Pages' : 'Page'} ${unread.join(', ')}`;
  return [`${named}: Text may be missing. Large inked areas gave no words.`];
}

/** The words of a page for the result: pixels of an image, points of a PDF page. */
const wordsOf =
  ({ pixelsPerPoint }: DocumentPages) =>
  ({ words, width, height }: RecognisedPage, index: number) => {
    const scale = pixelsPerPoint?.[index] ?? 1;
    const lengths = (given: Record<string, number>) =>
      Object.fromEntries(
        Object.entries(given).map(([name, pixels]) => [
          name,
          Math.round((pixels / scale) * 10) / 10,
        ]),
      );
    return {
      page: index + 1,
      unit: pixelsPerPoint ? 'pt' : 'px',
      ...lengths({ width, height }),
      words: words.map(({ text, confidence, x, y, width, height }) => ({
        ...{ text, confidence: Math.round(confidence * 1000) / 1000 },
        ...lengths({ x, y, width, height }),
      })),
    };
  };

/** Reads all pages concurrently; the first failure stops the others. */
async function readAll(
  document: DocumentPages,
  languages: readonly OcrLanguage[],
  context: OperationContext,
): Promise<RecognisedPage[]> {
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  let done = 0;
  const one = async (index: number): Promise<RecognisedPage> => {
    const ticket = PROCESSES.enter(currentCall()?.caller);
    try {
      await ticket.acquire(signal);
      const page = await readPage(document, index, languages, { ...context, signal });
      done += 1;
      context.progress?.(done / document.count);
      return page;
    } catch (error) {
      failure.abort(error);
      throw error;
    } finally {
      ticket.leave();
    }
  };
  const all = Array.from({ length: document.count }, (_, index) => one(index));
  // No process outlives its request: aborted pages have ended before the failure is reported.
  await Promise.allSettled(all);
  context.signal.throwIfAborted();
  failure.signal.throwIfAborted();
  return Promise.all(all);
}
