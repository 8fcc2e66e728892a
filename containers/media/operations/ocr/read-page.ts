/**
 * Recognizes one page of a document. Tries it unchanged, cleaned, rotated and as one block, and returns the result
 * with the most reliable text.
 */
import { rename, rm } from 'node:fs/promises';
import { ToolError } from '../../../../src/core/errors.ts';
import type { OcrLanguage } from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import type { Matrix } from '../../pdf/page-space.ts';
import { WorkLimit } from '../../work-limit.ts';
import { images } from '../image/process/image-pool.ts';
import type { Cleaning } from '../image/scanned-page/page-cleaning.ts';
import type { Rotation } from '../image/scanned-page/rotate-page.ts';
import type { OperationContext } from '../operation.ts';
import { type DocumentPages, pageSeconds } from './document-pages.ts';
import type { Word } from './hocr.ts';
import { type RecognizedImage, recognize, UnreadableImage } from './tesseract.ts';
import { movedBox, ofPage } from './word-boxes.ts';

/**
 * A page with a lower confidence is also read upside down. Words have a confidence of 0.2 to 0.4 on an upside-down
 * page, and of 0.9 on an upright page.
 */
const LOW_CONFIDENCE = 0.6;
/**
 * A page with at least this many characters is not read again as one block, because Tesseract has found its blocks and
 * another reading would take too long.
 */
const FEW_CHARACTERS = 200;
/**
 * The limit in CPU seconds for reading a page as one block, per language. It is the sum of a base value and an amount
 * per megapixel. A full page at 300 dpi takes 2.4 seconds. Noise, such as the grain of a photo, can take many times as
 * long.
 */
const BLOCK_SECONDS = { least: 3, perMegapixel: 0.5 };

/**
 * A sideways page is recognized again upright. The second text replaces the first if it has at least this share of its
 * characters, weighted by confidence. The share is below 1, because Tesseract finds the rows of tables and small marks
 * better on an upright page.
 */
const MIN_UPRIGHT_SHARE = 0.9;

/** A recognized page. Its lines are in pixels of the image that Tesseract read. */
export interface RecognizedPage extends RecognizedImage {
  /** The words, in pixels of the original page. `width` and `height` are in the same unit. */
  words: Word[];
  /** The matrix from pixels of the recognized image to pixels of the page. */
  toPage: Matrix;
  /** The share, 0 to 1, of text-like ink in which OCR found no word. */
  unread: number;
}

/** Reads a page. Also reads it upright if its text is sideways, and upside down if the confidence is low. */
export async function readPage(
  document: DocumentPages,
  index: number,
  languages: readonly OcrLanguage[],
  context: OperationContext,
): Promise<RecognizedPage> {
  const read = (rotation: Rotation) => readRotated(document, index, languages, context, rotation);
  const first = await read(0);
  // A page of text yields some characters even when read upside down. A page without characters, such as a photo, is
  // not read again.
  if (first.characters === 0) return first;
  const sideways = sidewaysRotation(first);
  if (sideways !== 0) {
    const rotated = await orNone(read(sideways), context);
    const least = first.certainCharacters * MIN_UPRIGHT_SHARE;
    return rotated && rotated.certainCharacters >= least ? rotated : first;
  }
  if (isCertain(first)) return first;
  const rotated = await orNone(read(180), context);
  return rotated && confidenceOf([rotated]) > confidenceOf([first]) ? rotated : first;
}

/** Returns the rotation that makes a sideways page upright, or 0 if most characters are not sideways. */
function sidewaysRotation({ lines, characters }: RecognizedImage): Rotation {
  const rotations = [90, 270] as const;
  const share = (rotation: Rotation) =>
    lines
      .filter(({ angle }) => angle === rotation)
      .flatMap(({ words }) => words)
      .reduce((sum, { text }) => sum + [...text].length, 0) / characters;
  return rotations.find((rotation) => share(rotation) > 0.5) ?? 0;
}

async function readRotated(
  document: DocumentPages,
  index: number,
  languages: readonly OcrLanguage[],
  context: OperationContext,
  rotation: Rotation,
): Promise<RecognizedPage> {
  const { path: drawn, pixels } = await document.prepare(index, context);
  const [path, output] = [`${drawn}.rotated.png`, `${drawn}.cleaned.png`];
  try {
    if (rotation === 0) await rename(drawn, path);
    else await images.run('rotate', { path: drawn, output: path, rotation }, context.signal);
    const page = await bestReading(path, output, pixels, languages, context);
    const image = page.cleaning ? output : path;
    const found = page.lines.flatMap(({ words }) => words);
    const task = { path: image, boxes: found };
    const measure = () => orNone(images.run('unread', task, context.signal), context);
    const unread = page.isBlank ? 0 : ((await measure()) ?? 0);
    const read = page.cleaning ?? page;
    const isSideways = rotation === 90 || rotation === 270;
    const [width, height] = isSideways ? [read.height, read.width] : [read.width, read.height];
    const toPage = ofPage(page.cleaning, rotation, { width, height });
    const words = found.map((word) => ({ ...word, ...movedBox(word, toPage) }));
    return { ...page, width, height, words, toPage, unread };
  } finally {
    // The images are deleted now, because those of a whole document would occupy gigabytes.
    await Promise.all([drawn, path, output].map((image) => rm(image, { force: true })));
  }
}

interface Reading extends RecognizedImage {
  /** The changes that produced the image that was read, or null if it is the original image. */
  cleaning: Cleaning | null;
  isBlank: boolean;
}

/** Reads the image at `path`, and its cleaned copy at `output`. Returns the result with the more reliable text. */
async function bestReading(
  path: string,
  output: string,
  pixels: number,
  languages: readonly OcrLanguage[],
  context: OperationContext,
): Promise<Reading> {
  const [first, cleaning] = await bothOf(
    readBlocks(path, pixels, languages, context),
    orNone(images.run('clean', { path, output }, context.signal), context),
  );
  if (cleaning === 'blank') {
    return { ...(isCertain(first) ? first : withoutWords(first)), cleaning: null, isBlank: true };
  }
  const plain = await withOneBlock(first, path, pixels, languages, context);
  const cleaned =
    cleaning && (await orNone(readCleaned(output, cleaning, languages, context), context));
  const isBetter = cleaned && cleaned.sureCharacters > plain.sureCharacters;
  return { ...(isBetter ? cleaned : plain), cleaning: isBetter ? cleaning : null, isBlank: false };
}

/** Waits for both, so that neither still uses the page's files when the other one's failure is thrown. */
async function bothOf<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<[First, Second]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}

/** Removes the words that Tesseract found in the noise of a blank page. */
function withoutWords({ width, height }: RecognizedImage): RecognizedImage {
  const none = { characters: 0, certainCharacters: 0, sureCharacters: 0 };
  return { width, height, text: '', lines: [], ...none };
}

async function readCleaned(
  path: string,
  { pixels }: Cleaning,
  languages: readonly OcrLanguage[],
  context: OperationContext,
): Promise<RecognizedImage> {
  const page = await readBlocks(path, pixels, languages, context);
  return withOneBlock(page, path, pixels, languages, context);
}

function readBlocks(
  path: string,
  pixels: number,
  languages: readonly OcrLanguage[],
  context: OperationContext,
): Promise<RecognizedImage> {
  const limit = new WorkLimit(0);
  limit.allow(pageSeconds(pixels));
  return recognize(path, { languages, layout: 'found' }, { ...context, limit });
}

/**
 * Recognizes an image again as one block if the confidence of `page` is low, because slanted lines can prevent
 * Tesseract from finding blocks.
 */
async function withOneBlock(
  page: RecognizedImage,
  path: string,
  pixels: number,
  languages: readonly OcrLanguage[],
  context: OperationContext,
): Promise<RecognizedImage> {
  if (isCertain(page) || page.characters >= FEW_CHARACTERS) return page;
  const { least, perMegapixel } = BLOCK_SECONDS;
  const seconds = (least + (pixels / 1e6) * perMegapixel) * languages.length;
  const blockContext = { ...context, limit: WorkLimit.ofSeconds(seconds) };
  const reading = recognize(path, { languages, layout: 'one block' }, blockContext);
  const block = await orNone(reading, context);
  const isBetter = block && isCertain(block) && block.certainCharacters > page.certainCharacters;
  return isBetter ? block : page;
}

/** Returns the result of an optional step, or undefined if the step fails. */
async function orNone<Result>(
  result: Promise<Result>,
  context: OperationContext,
): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ToolError || error instanceof UnreadableImage) return undefined;
    throw error;
  }
}

/** Whether the page's mean confidence is at least `LOW_CONFIDENCE`. */
export const isCertain = (page: RecognizedImage) => confidenceOf([page]) >= LOW_CONFIDENCE;

/** Returns the mean confidence of all characters, from 0 to 1. Returns 0 if there are no characters. */
export function confidenceOf(pages: readonly RecognizedImage[]): number {
  const characters = pages.reduce((sum, page) => sum + page.characters, 0);
  const certain = pages.reduce((sum, page) => sum + page.certainCharacters, 0);
  return characters === 0 ? 0 : Math.round((certain / characters) * 1000) / 1000;
}
