/** Finds the lines that begin a paragraph by the gaps and the edges of the lines of a page. */
import { areAligned, overlaps } from './boxes.ts';
import {
  fontSizeOf,
  hasSizeOf,
  isBold,
  type Line,
  SENTENCE_END,
  startsItem,
} from './page-lines.ts';

/** The minimum and maximum gap between two lines of a paragraph, as shares of the font size. */
const MIN_GAP = -0.6;
const MAX_GAP = 1.5;
/** The maximum difference between two usual gaps, as a share of the font size. */
const SAME_GAP = 0.1;
/** The minimum number of equal gaps, and their minimum share, that determine the usual gap between lines. */
const MIN_LINES = 2;
const MIN_SHARE = 0.1;
/** The minimum amount by which a gap between paragraphs exceeds the usual gap, as a share of the font size. */
const MIN_EXCESS = 0.25;
/** The maximum distance between the edges or centers of aligned bold lines, as a share of the font size. */
const MAX_OFF = 0.5;
/** The minimum and maximum indentation of a paragraph's first line, as shares of the font size. */
const MIN_INDENT = 0.8;
const MAX_INDENT = 4;
/** The minimum width of such a line, as a share of the width of the lines beside it. */
const MIN_WIDTH = 0.7;
/** The maximum distance between left edges at the same position, as a share of the font size. */
const SAME_EDGE = 0.1;
/** The width of a space, as a share of the font size. */
const SPACE = 0.3;
/** The number of lines before and after a line that determine the width of its column. */
const NEAR_LINES = 30;

/** The usual gap between lines by their font size, rounded to half points. Gaps are shares of the font size. */
type UsualGaps = ReadonlyMap<number, number>;

/** Returns the usual gaps between the lines of a page. These are the narrowest gaps that are common. */
export function usualGaps(lines: readonly Line[]): UsualGaps {
  const found = lines.flatMap((line, at) => {
    const gap = gapBefore(lines, at);
    return gap === undefined ? [] : [{ size: roundedSize(line), gap }];
  });
  const bySize = Map.groupBy(found, ({ size }) => size);
  return new Map(
    [...bySize].map(([size, group]) => [size, narrowestCommon(group.map(({ gap }) => gap))]),
  );
}

/**
 * Returns the lines that begin a paragraph after a gap wider than the usual one. Prose may also have wide gaps, such as
 * the body of a page whose footnotes have narrow ones. So either a gap beside it is narrower, or the first word of the
 * line would have fit in the line before. A line that is indented between lines that are not, and a bold line below a
 * bold heading that is indented differently, also begin a paragraph.
 */
export function paragraphStarts(lines: readonly Line[], usual: UsualGaps): Set<Line> {
  const gaps = lines.map((_, at) => gapBefore(lines, at));
  const isNarrower = (gap: number | undefined, than: number) =>
    gap !== undefined && gap < than - MIN_EXCESS;
  return new Set(
    lines.filter((line, at) => {
      if (isBelowHeading(lines, at) || isIndented(lines, at)) return true;
      const gap = gaps[at];
      const least = usual.get(roundedSize(line)) ?? Number.POSITIVE_INFINITY;
      if (gap === undefined || !isNarrower(least, gap)) return false;
      return (
        [gaps[at - 1], gaps[at + 1]].some((other) => isNarrower(other, gap)) || isForced(lines, at)
      );
    }),
  );
}

const roundedSize = (line: Line) => Math.round(fontSizeOf(line) * 2) / 2;

/** Returns the gap between a line and the line before it, if both may belong to one paragraph. */
function gapBefore(lines: readonly Line[], at: number): number | undefined {
  const [before, line] = [lines[at - 1], lines[at]];
  if (!before || !line || !overlaps(before, line) || !hasSizeOf(before, line)) return undefined;
  const gap = (line.top - before.bottom) / Math.max(fontSizeOf(before), fontSizeOf(line));
  return gap > MIN_GAP && gap < MAX_GAP ? gap : undefined;
}

function narrowestCommon(gaps: readonly number[]): number {
  const sorted = gaps.toSorted((a, b) => a - b);
  const least = Math.max(MIN_LINES, Math.ceil(sorted.length * MIN_SHARE));
  const first = sorted.find((gap, at) => {
    const last = sorted[at + least - 1];
    return last !== undefined && last <= gap + SAME_GAP;
  });
  return first ?? Number.POSITIVE_INFINITY;
}

/**
 * Whether a line is indented after the end of a sentence, and the lines before and after it are not. The second line of
 * a list item is indented too, and so is the short line of a definition.
 */
function isIndented(lines: readonly Line[], at: number): boolean {
  const [before, line, next] = [lines[at - 1], lines[at]!, lines[at + 1]];
  if (!before || !next) return false;
  if (gapBefore(lines, at) === undefined || gapBefore(lines, at + 1) === undefined) return false;
  if (startsItem(before) || startsItem(next)) return false;
  const [first, last] = [line.words[0]?.text ?? '', before.words.at(-1)?.text ?? ''];
  if (/^\p{Ll}/u.test(first) || !SENTENCE_END.test(last)) return false;
  const size = fontSizeOf(line);
  const indent = (line.left - before.left) / size;
  const isBetween = Math.abs(next.left - before.left) < size * SAME_EDGE;
  const width = Math.max(before.right, next.right) - next.left;
  const isShort = line.right - next.left < width * MIN_WIDTH;
  return indent > MIN_INDENT && indent < MAX_INDENT && isBetween && !isShort;
}

/** Whether a bold line is below a bold line that ends before it has to and is not aligned with it. */
function isBelowHeading(lines: readonly Line[], at: number): boolean {
  const [before, line] = [lines[at - 1], lines[at]!];
  if (!before || !isBold(before) || !isBold(line)) return false;
  return !areAligned(before, line, fontSizeOf(line) * MAX_OFF) && isForced(lines, at);
}

/** Whether the first word of a line would have fit in the line before it, so that the author broke the line. */
export function isForced(lines: readonly Line[], at: number): boolean {
  const [before, line] = [lines[at - 1]!, lines[at]!];
  const [word] = line.words;
  const right = lines
    .slice(Math.max(0, at - NEAR_LINES), at + NEAR_LINES)
    .reduce((most, other) => (overlaps(other, before) ? Math.max(most, other.right) : most), 0);
  return word !== undefined && before.right + word.size * SPACE + word.right - word.left < right;
}
