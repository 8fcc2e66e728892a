/** Decides which of two orders of a page's words is the reading order, by the words' positions. */

export interface Word {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A gap of this many letter heights splits a line: columns are that far apart, words are not. */
const GAP = 1.5;
/** An occasional step to the side is a new column; a wrong order has many. */
const LEAST_JUMPS = 4;
const TIMES_FEWER = 3;

/** The words of each page, as `pdftotext -bbox` lists them. */
export const wordsOfPages = (listed: string): Word[][] =>
  listed
    .split('<page ')
    .slice(1)
    .map((page) =>
      [...page.matchAll(/<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">/g)].map(
        ([, left, top, right, bottom]) => ({
          left: Number(left),
          right: Number(right),
          top: Number(top),
          bottom: Number(bottom),
        }),
      ),
    );

/**
 * Whether drawing order reads better than layout order: short columns of equal height look like table rows, and the
 * page's author knew the right order.
 */
export function isDrawnInOrder(found: readonly Word[], drawn: readonly Word[]): boolean {
  const jumps = jumpsIn(found);
  return jumps >= LEAST_JUMPS && jumpsIn(drawn) * TIMES_FEWER <= jumps;
}

/** How often the next line is not below the previous one but beside or above it. */
function jumpsIn(words: readonly Word[]): number {
  const lines = linesOf(words);
  return lines.filter((line, index) => {
    const before = lines[index - 1];
    return before && !(line.top > before.top && overlaps(line, before));
  }).length;
}

const overlaps = (one: Word, other: Word) => one.left < other.right && other.left < one.right;

/** Joins neighbouring words of a line into one box. */
function linesOf(words: readonly Word[]): Word[] {
  const lines: Word[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line && continues(line, word)) {
      line.right = Math.max(line.right, word.right);
      line.top = Math.min(line.top, word.top);
      line.bottom = Math.max(line.bottom, word.bottom);
    } else lines.push({ ...word });
  }
  return lines;
}

function continues(line: Word, word: Word): boolean {
  const height = word.bottom - word.top;
  const middle = (word.top + word.bottom) / 2;
  const gap = word.left - line.right;
  return middle > line.top && middle < line.bottom && gap > -height && gap < GAP * height;
}
