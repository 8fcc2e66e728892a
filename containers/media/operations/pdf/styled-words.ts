/** Determines the fonts of a page's words and their positions in the structure tree from the page's content. */
import type { PageDrawing, TextSpan } from '../../pdf/page-drawing.ts';
import type { Box } from '../../pdf/page-space.ts';
import type { StructuredContent, StructureElement } from '../../pdf/structure-tree.ts';
import { ASCENT } from '../../pdf/text-object.ts';
import type { Word } from './bbox-words.ts';
import { heightOf } from './boxes.ts';

/** The part of a word that is a link. The punctuation around a link belongs to the same word. */
export interface WordLink {
  uri: string;
  /** The positions in the text of the word. */
  start: number;
  end: number;
}

export interface StyledWord extends Word {
  /** The font size in points, or the height of the word if its font is unknown. */
  size: number;
  isBold: boolean;
  isMono: boolean;
  isArtifact: boolean;
  /** The position of the word in the structure tree, if the word is tagged. */
  order: number | undefined;
  element: StructureElement | undefined;
  link?: WordLink;
  /**
   * The part of a bold or monospaced word without the punctuation around it, if that punctuation has another weight or
   * width.
   */
  inner?: Pick<WordLink, 'start' | 'end'>;
  /** Whether a bullet that is drawn as a shape precedes the word. */
  hasBullet?: boolean;
  /** The diagonal text that the word belongs to. */
  diagonal?: TextSpan;
  /** Whether nothing is drawn directly before the word, not even a space. */
  isDetached?: boolean;
  /** Whether the box is mirrored, as on right-to-left pages. */
  isMirrored?: boolean;
  /** Whether the box is turned, as in vertical text. */
  isTurned?: boolean;
  /** Whether the words of the line are in reading order. */
  isOrdered?: boolean;
  /** Whether the word is a number that belongs to the words of a left-to-right script before it. */
  isLeftToRight?: boolean;
}

/**
 * The height in points of the horizontal bands by which spans are indexed, and the limit for the number of bands that a
 * span belongs to. A span belongs to the bands that it touches.
 */
const BAND = 16;
const BANDS_PER_SPAN = 200;
/**
 * The maximum number of spans in a band, each of which is compared with each word in the band. The words of any further
 * spans have no known font.
 */
const SPANS_PER_BAND = 5000;
/**
 * The maximum number of bands above and below the top of the page. A page is at most 14,400 points high, but a span may
 * be anywhere. Counting to the band of a huge coordinate would not end, because adding 1 does not change it.
 */
const MAX_BANDS = 100_000;
/**
 * The maximum distance, as a share of the font size, between the center of a word and the box of its span. Boxes of
 * spans do not include descenders.
 */
const MARGIN = 0.35;
/** Text in a font without declared widths may be wider than estimated by at most this share. */
const UNKNOWN_WIDTH = 0.6;
/** The distance to a word, as a share of the font size, at which a space before the word is drawn. */
const BEFORE = 0.08;
/** The distance from the edge of a word, as a share of the font size, to a point within its first or last letter. */
const WITHIN = 0.1;
/** The minimum width of punctuation, as a share of the font size. */
const NARROW = 0.2;
/** A word longer than this is not searched for punctuation. */
const MAX_LETTERS = 100;
/**
 * The usual heights of word boxes, as multiples of the font size, and the maximum factor by which an unusual height
 * differs from the font size.
 */
const MIN_USUAL_HEIGHT = 0.85;
const MAX_USUAL_HEIGHT = 1.5;
const MAX_ERROR = 3;
/** The usual distances from the baseline to the top and bottom of a word box, as shares of the font size. */
const ABOVE = 0.9;
const BELOW = 0.2;
/** The maximum height of a word in level text that crosses diagonal text, as a multiple of the font size. */
const MAX_CROSSING = 2;
const OPENING = /[("'“‘«[]/u;
const CLOSING = /[.,;:!?)"'”’»\]]/u;

/**
 * Returns the words in the given order, each with the font of the text that is drawn at its position. Without
 * `drawing`, fonts are unknown. Without `structure`, words are untagged.
 */
export function styledWords(
  words: readonly Word[],
  drawing: PageDrawing | undefined,
  structure: StructuredContent | undefined,
): StyledWord[] {
  const bands = drawing ? bandsOf(drawing.spans) : new Map<number, TextSpan[]>();
  return words.map((word) => {
    const span = spanOf(word, bands);
    const content = span?.isArtifact ? (contentOf(word, span.size, bands) ?? span) : span;
    const tagged = content?.content === undefined ? undefined : structure?.get(content.content);
    return {
      ...word,
      ...(span && letterBox(word, span)),
      size: span?.size || word.bottom - word.top,
      isBold: span?.font.isBold ?? false,
      isMono: span?.font.isMono ?? false,
      isDetached: span?.font.hasWidths === true && isDetached(word, span.size, bands),
      isArtifact: content?.isArtifact ?? false,
      order: tagged?.order,
      element: tagged?.element,
      ...(span?.direction && { diagonal: span }),
      ...(span && innerPart(word, span, bands)),
    };
  });
}

/**
 * Returns the top and bottom of a word in a Type 3 font if its box is much lower or higher than the font. For such
 * fonts, poppler estimates the height from the width of one letter. Far larger differences are due to the units of the
 * font.
 */
function letterBox(
  word: Box,
  { bottom, top, size, font }: TextSpan,
): Pick<Box, 'top' | 'bottom'> | null {
  if (!font.isType3) return null;
  const ratio = heightOf(word) / size;
  const isUsual = ratio > MIN_USUAL_HEIGHT && ratio < MAX_USUAL_HEIGHT;
  const isUnknown = ratio * MAX_ERROR < 1 || ratio > MAX_ERROR;
  const isLevel = Math.abs(bottom - top - size * ASCENT) < size * 0.01;
  if (isUsual || isUnknown || !isLevel) return null;
  return { top: bottom - size * ABOVE, bottom: bottom + size * BELOW };
}

function bandsOf(spans: readonly TextSpan[]): Map<number, TextSpan[]> {
  const bands = new Map<number, TextSpan[]>();
  for (const span of spans) {
    const first = Math.max(bandAt(span.top), -MAX_BANDS);
    const last = Math.min(bandAt(span.bottom), first + BANDS_PER_SPAN, MAX_BANDS);
    for (let band = first; band <= last; band += 1) {
      const listed = bands.get(band);
      if (!listed) bands.set(band, [span]);
      else if (listed.length < SPANS_PER_BAND) listed.push(span);
    }
  }
  return bands;
}

const bandAt = (y: number) => Math.floor(y / BAND);

/** Returns the span that contains the center of a word. */
function spanOf(word: Box, bands: ReadonlyMap<number, TextSpan[]>): TextSpan | undefined {
  const x = (word.left + word.right) / 2;
  const y = (word.top + word.bottom) / 2;
  let best: TextSpan | undefined;
  let diagonal: TextSpan | undefined;
  let least = Number.POSITIVE_INFINITY;
  let leastAcross = Number.POSITIVE_INFINITY;
  for (const span of bands.get(bandAt(y)) ?? []) {
    if (span.direction) {
      const across = isAlong(word, span) ? distanceAcross(word, span) : leastAcross;
      if (across < leastAcross) [diagonal, leastAcross] = [span, across];
      continue;
    }
    const margin = span.size * MARGIN;
    const beyond = span.font.hasWidths ? 0 : (span.right - span.left) * UNKNOWN_WIDTH;
    if (x < span.left - margin || x > span.right + margin + beyond) continue;
    if (y < span.top - margin || y > span.bottom + margin) continue;
    const beside = Math.max(0, span.left - x, x - span.right);
    const distance = beside + Math.abs(y - (span.top + span.bottom) / 2);
    if (distance < least) [best, least] = [span, distance];
  }
  // The letters of a watermark are larger than the text that they cross.
  return best && heightOf(word) < best.size * MAX_CROSSING ? best : (diagonal ?? best);
}

/** Whether the center of a word is within diagonal text, and the word is not much smaller than its font. */
function isAlong(word: Box, span: TextSpan): boolean {
  const x = (word.left + word.right) / 2;
  const isWithin = x > span.left - span.size / 2 && x < span.right + span.size / 2;
  const isBeside = isWithin || !span.font.hasWidths;
  return isBeside && distanceAcross(word, span) < span.size && heightOf(word) * 3 > span.size;
}

/** Returns the distance between the centers of a word and of diagonal text, across the direction of the text. */
function distanceAcross(word: Box, span: TextSpan): number {
  const [x, y] = span.direction ?? [0, 0];
  const right = (word.left + word.right - span.left - span.right) / 2;
  const down = (word.top + word.bottom - span.top - span.bottom) / 2;
  return Math.abs(right * y - down * x);
}

/**
 * Returns the span in which a word begins. The leaders of a table of contents are artifacts that belong to the same
 * word as the text before them.
 */
const contentOf = (word: Box, size: number, bands: ReadonlyMap<number, TextSpan[]>) =>
  spanAt(word.left + size * WITHIN, word, size, bands);

/** Whether no span contains the point directly before a word. */
const isDetached = (word: Box, size: number, bands: ReadonlyMap<number, TextSpan[]>): boolean =>
  !spanAt(word.left - size * BEFORE, word, size, bands);

/** Returns a span that contains the point at this distance from the left edge of the page, in the middle of a line. */
function spanAt(
  x: number,
  line: Box,
  size: number,
  bands: ReadonlyMap<number, TextSpan[]>,
): TextSpan | undefined {
  const y = (line.top + line.bottom) / 2;
  const margin = size * MARGIN;
  return (bands.get(bandAt(y)) ?? []).find(
    ({ left, right, top, bottom }) =>
      x > left && x < right && y > top - margin && y < bottom + margin,
  );
}

/**
 * Returns the part of a bold or monospaced word without the punctuation around it, if that punctuation has another
 * weight or width.
 *
 * @param span the span that contains the center of the word
 */
function innerPart(
  word: Word,
  span: TextSpan,
  bands: ReadonlyMap<number, TextSpan[]>,
): Pick<StyledWord, 'inner'> {
  const { font, size } = span;
  if (!(font.isBold || font.isMono) || word.text.length > MAX_LETTERS) return {};
  const letters = word.text.split('');
  /** Returns how many of these letters are punctuation in the other span at this point. */
  const outside = (
    x: number,
    kind: RegExp,
    from: readonly string[],
    width: (at: Box) => number,
  ) => {
    const other = spanAt(x, word, size, bands);
    if (!other?.font.hasWidths || hasStyleOf(other, span)) return 0;
    const most = Math.round(width(other) / (size * NARROW));
    return Math.max(
      0,
      Math.min(
        most,
        from.findIndex((letter) => !kind.test(letter)),
      ),
    );
  };
  const start = outside(
    word.left + size * WITHIN,
    OPENING,
    letters,
    ({ right }) => right - word.left,
  );
  const after = outside(
    word.right - size * WITHIN,
    CLOSING,
    letters.toReversed(),
    ({ left }) => word.right - left,
  );
  return start + after > 0 ? { inner: { start, end: letters.length - after } } : {};
}

const hasStyleOf = (one: TextSpan, other: TextSpan) =>
  one.font.isBold === other.font.isBold && one.font.isMono === other.font.isMono;
