/**
 * Looks up the widths of glyphs in the arrays that fonts declare (ISO 32000-1, sections 9.6.2 and 9.7.4.3). The arrays
 * are not copied, because thousands of fonts may share one array, and a short array may contain all codes.
 */
import { firstIndex } from './first-index.ts';
import type { ObjectSource, PdfDictionary, PdfValue } from './objects.ts';

/** The width assumed for a glyph without a declared width, in thousandths of the font size. */
export const USUAL_WIDTH = 500;
const USUAL_CID_WIDTH = 1000;
const MAX_CODE = 255;
const MAX_RANGES = 70_000;
/** The maximum number of overlapping ranges that are searched for a code. */
const MAX_OVERLAPPING = 8;

/** Returns the declared width of a code, as a share of the font size. Returns undefined if none is declared. */
export type GlyphWidths = (code: number) => number | undefined;

/** Returns the widths in the `Widths` entry of a simple font, or undefined if it has none. */
export function widthsOfCodes(
  source: ObjectSource,
  font: PdfDictionary | undefined,
): GlyphWidths | undefined {
  const widths = source.array(font?.get('Widths')) ?? [];
  if (widths.length === 0) return undefined;
  const first = source.number(font?.get('FirstChar')) ?? 0;
  const matrix = source.array(font?.get('FontMatrix'));
  // Only Type 3 fonts have a FontMatrix.
  const scale = matrix ? Math.abs(source.number(matrix[0]) ?? 0.001) : 0.001;
  return (code) => {
    const width = code - first > MAX_CODE ? undefined : widths[code - first];
    return width === undefined ? undefined : (source.number(width) ?? USUAL_WIDTH) * scale;
  };
}

/** The widths of consecutive CIDs: either a list with one for each, or one for all. */
interface Range {
  first: number;
  last: number;
  listed: readonly PdfValue[] | undefined;
  width: PdfValue | undefined;
  /** The last of the ranges before this one that contains the first CID of this one. */
  outer: Range | undefined;
}

const known = new WeakMap<readonly PdfValue[], GlyphWidths>();

/** Returns the widths in the `W` entry of a CID font, or undefined if it has none. */
export function widthsOfCids(
  source: ObjectSource,
  font: PdfDictionary | undefined,
): GlyphWidths | undefined {
  const items = source.array(font?.get('W'));
  if (!items) return undefined;
  const found = known.get(items) ?? lookUp(source, rangesOf(source, items));
  known.set(items, found);
  return found;
}

/** Reads the forms `c [w1 w2 …]` and `first last w`. Returns the ranges in ascending order. */
function rangesOf(source: ObjectSource, items: readonly PdfValue[]): Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at + 1 < items.length && ranges.length < MAX_RANGES; ) {
    const first = source.number(items[at]) ?? 0;
    const listed = source.array(items[at + 1]);
    const last = listed ? first + listed.length - 1 : (source.number(items[at + 1]) ?? 0);
    if (last >= first) ranges.push({ first, last, listed, width: items[at + 2], outer: undefined });
    at += listed ? 2 : 3;
  }
  ranges.sort((a, b) => a.first - b.first);
  let outer: Range | undefined;
  for (const range of ranges) {
    while (outer && outer.last < range.first) outer = outer.outer;
    range.outer = outer;
    outer = range;
  }
  return ranges;
}

function lookUp(source: ObjectSource, ranges: readonly Range[]): GlyphWidths {
  return (cid) => {
    let range = ranges[firstIndex(ranges.length, (at) => ranges[at]!.first > cid) - 1];
    for (let tried = 0; range && range.last < cid; tried += 1) {
      if (tried === MAX_OVERLAPPING) return undefined;
      range = range.outer;
    }
    if (!range) return undefined;
    const { listed, first } = range;
    const width = listed ? listed[cid - first] : range.width;
    return (source.number(width) ?? USUAL_CID_WIDTH) / 1000;
  };
}
