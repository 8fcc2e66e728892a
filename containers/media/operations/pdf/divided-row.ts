/**
 * Divides a table row whose cells run together. The headings of narrow columns can be almost as close together as
 * words, but the other rows show the positions of the columns.
 */

import { areAligned, around } from './boxes.ts';
import type { Line } from './page-lines.ts';
import type { StyledWord } from './styled-words.ts';

export interface Column {
  left: number;
  right: number;
}

/** The maximum distance, in letter heights, between the edge or center of a cell and the same point of its column. */
const MAX_OFF = 0.5;
/** The minimum gap between cells, in letter heights and as a multiple of the widest gap within a cell. */
const MIN_GAP = 0.25;
const MIN_RATIO = 1.15;

/**
 * Returns one cell per column. If the first column has no heading, its cell is omitted. Returns undefined if the words
 * do not fit the columns. `words` are ordered from left to right.
 */
export const dividedRow = (
  words: readonly StyledWord[],
  columns: readonly Column[],
): Line[] | undefined => cellsIn(words, columns) ?? cellsIn(words, columns.slice(1));

/** Divides the words at their widest gaps. */
function cellsIn(words: readonly StyledWord[], columns: readonly Column[]): Line[] | undefined {
  if (columns.length < 2 || words.length < columns.length) return undefined;
  const gaps = words.slice(1).map(({ left }, at) => left - words[at]!.right);
  const sorted = gaps.toSorted((a, b) => b - a);
  const [between, within = 0] = sorted.slice(columns.length - 2) as [number, number?];
  const { top, bottom } = around(words);
  const height = bottom - top;
  if (between < Math.max(MIN_GAP * height, MIN_RATIO * within)) return undefined;
  const cells: StyledWord[][] = [];
  for (const [at, word] of words.entries()) {
    if (at === 0 || gaps[at - 1]! >= between) cells.push([word]);
    else cells.at(-1)!.push(word);
  }
  const lines = cells.map((own) => ({ ...around(own), words: own }));
  const fits = columns.every((column, at) => areAligned(lines[at]!, column, MAX_OFF * height));
  return fits ? lines : undefined;
}
