/** Decides which of two orders of a page's words is the reading order, by the words' positions. */
import type { Box } from '../../pdf/page-space.ts';

export interface Word extends Box {
  text: string;
}

/** A gap of this many letter heights splits a line: columns are that far apart, words are not. */
const GAP = 1.5;
const ENTITIES: Record<string, string> = { amp: '&', apos: "'", quot: '"', lt: '<', gt: '>' };
const WORD = /<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">([^<]*)</g;

/** The words of each page, as `pdftotext -bbox` lists them. */
export const wordsOfPages = (listed: string): Word[][] =>
  listed
    .split('<page ')
    .slice(1)
    .map((page) =>
      [...page.matchAll(WORD)].map(([, left, top, right, bottom, text = '']) => ({
        left: Number(left),
        right: Number(right),
        top: Number(top),
        bottom: Number(bottom),
        text: text.replace(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity),
      })),
    );

/**
 * Whether drawing order reads better than layout order: short columns of equal height look like table rows, and the
 * page's author knew the right order.
 */
export const isDrawnInOrder = (found: readonly Word[], drawn: readonly Word[]): boolean =>
  jumpsIn(drawn) < jumpsIn(found);

/** How often the next line is not below the previous one but beside or above it. */
function jumpsIn(words: readonly Word[]): number {
  const lines = linesOf(words);
  return lines.filter((line, index) => {
    const before = lines[index - 1];
    return before && !(line.top > before.top && overlaps(line, before));
  }).length;
}

export const overlaps = (one: Box, other: Box) => one.left < other.right && other.left < one.right;

/** Joins neighbouring words of a line into one box. */
function linesOf(words: readonly Word[]): Box[] {
  const lines: Box[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line && continues(line, word)) extend(line, word);
    else lines.push({ ...word });
  }
  return lines;
}

/** Enlarges a box so that it contains the other. */
export function extend(box: Box, other: Box): void {
  box.left = Math.min(box.left, other.left);
  box.right = Math.max(box.right, other.right);
  box.top = Math.min(box.top, other.top);
  box.bottom = Math.max(box.bottom, other.bottom);
}

/** Whether the word is the next one of the line, in either direction. */
export function continues(line: Box, word: Box): boolean {
  const height = word.bottom - word.top;
  const middle = (word.top + word.bottom) / 2;
  const gap = Math.max(word.left - line.right, line.left - word.right);
  return middle > line.top && middle < line.bottom && gap > -height && gap < GAP * height;
}
