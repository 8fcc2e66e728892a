/**
 * Converts the words that OCR found on pages to the words of PDF pages, so that their headings, lists and tables can be
 * found in the same way.
 */

import { type Matrix, times } from '../../pdf/page-space.ts';
import { medianOf } from '../median.ts';
import type { StyledWord } from '../pdf/styled-words.ts';
import type { TextLine, Word } from './hocr.ts';
import type { RecognizedPage } from './read-page.ts';

/** Lengths are in points. */
export interface RecognizedWords {
  /** The size of the page as shown. */
  width: number;
  height: number;
  /** The words in reading order, on the page with its text upright. */
  words: StyledWord[];
  /** The matrix from the upright page to the page as shown. */
  toPage: Matrix;
}

type PageOfLines = Pick<RecognizedPage, 'lines' | 'toPage' | 'width' | 'height'>;

const RULE = '|';
/** The minimum mean confidence of a line whose size is reliable. */
const MIN_SURE = 0.6;
/** The font size, as a multiple of the distance from the lowest descender to the highest ascender. */
const FONT_SIZE = 1.1;
/**
 * The maximum ratio of the measured sizes of lines in the same font. Sizes vary, because OCR measures only the letters
 * that a line contains.
 */
const SAME_FONT = 1.1;
/** Tesseract reads a bullet as one of these letters or signs. */
const BULLET_SHAPES = /^[•·eo¢°©®«»*@=#]$/u;
const BULLET = '•';
const MIN_ITEMS = 2;
/** The maximum difference between the left edges of the items of one list, in font sizes. */
const SAME_EDGE = 0.5;

/** @param pixelsPerPoint the resolution of each page */
export function recognizedWords(
  pages: readonly PageOfLines[],
  pixelsPerPoint: readonly number[],
): RecognizedWords[] {
  const written = pages.map((page, at) => {
    const points = 1 / pixelsPerPoint[at]!;
    const scale = scaleOf(page.toPage) * points;
    const usualSize = medianOf(page.lines.map(({ size, height }) => size || height));
    const lines = page.lines.map((line) => wordsOf(line, usualSize, scale));
    const filled = lines.filter((words) => words.length > 0);
    markBullets(filled);
    return {
      width: page.width * points,
      height: page.height * points,
      words: filled.flat(),
      toPage: times(times(scaling(1 / scale), page.toPage), scaling(points)),
    };
  });
  evenSizes(written.flatMap(({ words }) => words));
  return written;
}

/**
 * Returns the words of a line. The size of the line is not reliable if the line contains rules of a table or rotated
 * letters, or if its words are probably noise. Such a line gets the usual size.
 */
function wordsOf(line: TextLine, usualSize: number, scale: number): StyledWord[] {
  const isRuled = line.words.some(({ text }) => text.includes(RULE));
  const isReliable =
    !isRuled && line.angle === 0 && line.size > 0 && confidenceOf(line) >= MIN_SURE;
  const size = isReliable ? line.size : usualSize;
  const lowest = medianOf(line.words.map(({ y, height }) => y + height / 2)) + size / 2;
  return line.words.flatMap(divided).map((word) => {
    const rise = line.slope * (word.x + word.width / 2 - line.x);
    const bottom =
      (isReliable ? line.y + line.height + line.offset + line.descenders : lowest) + rise;
    return {
      text: word.text,
      left: word.x * scale,
      right: (word.x + word.width) * scale,
      top: (bottom - size * FONT_SIZE) * scale,
      bottom: bottom * scale,
      size: size * FONT_SIZE * scale,
      isBold: false,
      isMono: false,
      isArtifact: false,
      order: undefined,
      element: undefined,
    };
  });
}

const scaleOf = ([a, b]: Matrix) => Math.hypot(a, b);
const scaling = (factor: number): Matrix => [factor, 0, 0, factor, 0, 0];

function confidenceOf({ words }: TextLine): number {
  return words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, words.length);
}

/** Divides a word at vertical bars, because Tesseract reads the rules of a table as bars. */
function divided(word: Word): Word[] {
  const parts = word.text.split(RULE);
  if (parts.length === 1) return [word];
  const letter = word.width / word.text.length;
  let start = 0;
  return parts.flatMap((text) => {
    const x = word.x + start * letter;
    start += text.length + 1;
    return text === '' ? [] : [{ ...word, text, x, width: text.length * letter }];
  });
}

/**
 * Restores the bullets of lists. Lines that begin with a single sign are list items if several follow each other.
 * Indented lines between them belong to the items.
 */
function markBullets(lines: readonly StyledWord[][]): void {
  let edge: StyledWord | undefined;
  let items: StyledWord[] = [];
  const close = () => {
    if (items.length >= MIN_ITEMS) for (const bullet of items) bullet.text = BULLET;
    items = [];
  };
  for (const [first, second] of lines) {
    const mayBeItem = second !== undefined && BULLET_SHAPES.test(first!.text);
    if (
      !edge ||
      first!.left < edge.left - edge.size * SAME_EDGE ||
      (!mayBeItem && isAt(first!, edge))
    ) {
      close();
      edge = mayBeItem ? first : undefined;
    }
    if (mayBeItem) items.push(first!);
  }
  close();
}

const isAt = (word: StyledWord, edge: StyledWord) =>
  Math.abs(word.left - edge.left) <= edge.size * SAME_EDGE;

/** Gives words of similar sizes the median of their sizes, so that lines in the same font have the same size. */
function evenSizes(words: readonly StyledWord[]): void {
  const sorted = words.toSorted((a, b) => b.size - a.size);
  for (let start = 0; start < sorted.length; ) {
    const largest = sorted[start]!.size;
    let end = start;
    while (end < sorted.length && sorted[end]!.size * SAME_FONT >= largest) end += 1;
    const { size } = sorted[(start + end) >> 1]!;
    for (const word of sorted.slice(start, end)) word.size = size;
    start = end;
  }
}
