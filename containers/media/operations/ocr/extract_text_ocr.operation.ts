/** extract_text_ocr: recognises the text of an image or PDF page by page, one process per page. */
import { rm } from 'node:fs/promises';
import { badRequest, ToolError } from '../../../../src/core/errors.ts';
import {
  OCR_LANGUAGES,
  type OcrLanguage,
} from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import { CORES } from '../../cores.ts';
import { currentCall } from '../../current-call.ts';
import { WorkLimit } from '../../work-limit.ts';
import { WorkQueue } from '../../work-queue.ts';
import { images } from '../image/process/image-pool.ts';
import { joinPages } from '../join-pages.ts';
import { onlyFile } from '../only-file.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { type DocumentPages, pageSeconds } from './document-pages.ts';
import { openPages } from './pages.ts';
import { type RecognisedPage, recognise, UnreadableImage } from './tesseract.ts';

const TIME_LIMIT_MS = 240_000;
/** Upside-down words have a confidence of 0.2 to 0.4, the same words upright 0.9. */
const LOW_CONFIDENCE = 0.6;
/** Pages with more characters are not read again: Tesseract finds their blocks, and it would take too long. */
const FEW_CHARACTERS = 200;
/** One process per core, for all requests together. */
const PROCESSES = new WorkQueue(CORES, Number.POSITIVE_INFINITY, undefined, TIME_LIMIT_MS);

export const operation: Operation = {
  kind: 'ocr',
  prepare: () => images.warm(),
  timeLimitMs: TIME_LIMIT_MS,
  async run(params, files, context) {
    const language = params.language as OcrLanguage;
    const file = onlyFile(files, 'extract_text_ocr');
    if (!Object.hasOwn(OCR_LANGUAGES, language)) {
      throw badRequest(`language must be one of ${Object.keys(OCR_LANGUAGES).join(', ')}.`);
    }
    const document = await openPages(file, context);
    const pages = await recogniseAll(document, language, context).catch((error: unknown) => {
      if (!(error instanceof UnreadableImage)) throw error;
      throw badRequest(
        `"${file.name}" cannot be read as an image. It may be damaged or truncated.`,
        'file',
      );
    });
    const body = Buffer.from(
      JSON.stringify({
        text: joinPages(pages.map(({ text }) => text)),
        language,
        confidence: confidenceOf(pages),
      }),
    );
    return {
      contentType: 'application/json',
      size: body.length,
      open: () => [body],
      meta: { pages: document.count, warnings: document.warnings },
    };
  },
};

/** Recognises all pages concurrently; the first failure stops the others. */
async function recogniseAll(
  document: DocumentPages,
  language: OcrLanguage,
  context: OperationContext,
): Promise<RecognisedPage[]> {
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  let done = 0;
  const one = async (index: number): Promise<RecognisedPage> => {
    const ticket = PROCESSES.enter(currentCall()?.caller);
    try {
      await ticket.acquire(signal);
      const page = await recognisePage(document, index, language, { ...context, signal });
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

/** Recognises one page. If the confidence is low, it also tries the page upside down. */
async function recognisePage(
  document: DocumentPages,
  index: number,
  language: OcrLanguage,
  context: OperationContext,
): Promise<RecognisedPage> {
  const upright = await readPage(document, index, language, context, false);
  if (isCertain(upright)) return upright;
  const turned = await orNone(readPage(document, index, language, context, true), context);
  return turned && confidenceOf([turned]) > confidenceOf([upright]) ? turned : upright;
}

/**
 * Reads a page. If few words are certain, it is read again as one block, because its blocks may have been missed
 * (slanted lines).
 */
async function readPage(
  document: DocumentPages,
  index: number,
  language: OcrLanguage,
  context: OperationContext,
  turned: boolean,
): Promise<RecognisedPage> {
  const { path, pixels } = await document.prepare(index, context, turned);
  const limit = new WorkLimit(0);
  limit.allow(pageSeconds(pixels));
  const limited = { ...context, limit };
  try {
    const page = await recognise(path, language, 'found', limited);
    if (isCertain(page) || page.characters >= FEW_CHARACTERS) return page;
    const block = await orNone(recognise(path, language, 'one block', limited), context);
    const isBetter = block && isCertain(block) && block.certainCharacters > page.certainCharacters;
    return isBetter ? block : page;
  } finally {
    // Waiting pages hold no image, because the images of a whole document would take gigabytes.
    await rm(path, { force: true });
  }
}

/** An optional second reading: null if it fails. */
async function orNone(reading: Promise<RecognisedPage>, context: OperationContext) {
  try {
    return await reading;
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ToolError || error instanceof UnreadableImage) return undefined;
    throw error;
  }
}

const isCertain = (page: RecognisedPage) => confidenceOf([page]) >= LOW_CONFIDENCE;

/** From 0 to 1: the mean over all characters; 0 if there are none. */
function confidenceOf(pages: readonly RecognisedPage[]): number {
  const characters = pages.reduce((sum, page) => sum + page.characters, 0);
  const certain = pages.reduce((sum, page) => sum + page.certainCharacters, 0);
  return characters === 0 ? 0 : Math.round((certain / characters) * 1000) / 1000;
}
