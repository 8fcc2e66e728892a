/** Which of two orders of a page's words people read in, told by where the words stand. */

export interface Word {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A gap of this many letter heights parts a line: columns stand so far apart, words do not. */
const GAP = 1.5;
/** A step to the side now and then is a new column; an order that is wrong takes many. */
const LEAST_JUMPS = 4;
const TIMES_FEWER = 3;

/** Of each page, the words that `pdftotext -bbox` lists. */
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
 * Whether the order in which a page was drawn reads better than the one found by its layout: short columns of one
 * height look like the rows of a table, and who wrote the page knew better.
 */
export function isDrawnInOrder(found: readonly Word[], drawn: readonly Word[]): boolean {
  const jumps = jumpsIn(found);
  return jumps >= LEAST_JUMPS && jumpsIn(drawn) * TIMES_FEWER <= jumps;
}

/** How often the next line does not stand below the one before: beside it, or above. */
function jumpsIn(words: readonly Word[]): number {
  const lines = linesOf(words);
  return lines.filter((line, index) => {
    const before = lines[index - 1];
    return before && !(line.top > before.top && overlaps(line, before));
  }).length;
}

const overlaps = (one: Word, other: Word) => one.left < other.right && other.left < one.right;

/** Neighbours on one line as one box. */
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
