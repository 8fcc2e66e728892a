/** Finds the list items whose bullets are drawn as shapes instead of letters, as Chromium draws them. */
import type { Box } from '../../pdf/page-space.ts';
import type { Line } from './page-lines.ts';
import type { StyledWord } from './styled-words.ts';

/** The parts of a block that determine its depth in a list. */
interface ListBlock extends Box {
  lines: Line[];
  level?: number;
}

/** The sizes of a bullet, as shares of the font size. Checkboxes are larger. */
const LEAST_SIZE = 0.15;
const MOST_SIZE = 0.6;
/** The maximum ratio of the sides of a bullet. */
const MOST_RATIO = 1.3;
/** The maximum distance between a bullet and the words beside it, as a share of the font size. */
const MOST_GAP = 1.5;
/** The maximum difference between the left edges of items of one depth, and of items of one list, in points. */
const SAME_EDGE = 3;
const MOST_INDENT = 100;

/** Marks the words that follow a bullet at the start of a line. */
export function markBullets(words: readonly StyledWord[], shapes: readonly Box[]): void {
  for (const shape of shapes) {
    const level = words.filter((word) => isLevel(shape, word));
    const next = level.find((word) => isGap(word.left - shape.right, word));
    if (!next || !isBullet(shape, next) || shapes.some((box) => isMarkIn(box, shape))) continue;
    if (!level.some((word) => isGap(shape.left - word.right, word))) next.hasBullet = true;
  }
}

export const hasBullet = ({ lines }: ListBlock): boolean => lines[0]?.words[0]?.hasBullet === true;

/** Sets the depth of consecutive items with drawn bullets by their indentation. */
export function nestItems(blocks: readonly ListBlock[]): void {
  let before: ListBlock | undefined;
  /** The left edges of the current item and of the items that contain it. */
  let edges: number[] = [];
  for (const block of blocks) {
    if (!hasBullet(block)) before = undefined;
    else {
      if (!before || !isNear(before, block)) edges = [];
      edges = [...edges.filter((left) => left < block.left - SAME_EDGE), block.left];
      block.level = edges.length;
      before = block;
    }
  }
}

/** Whether an item is below the item before it, in the same column. */
const isNear = (before: ListBlock, { left, top }: ListBlock): boolean =>
  top > before.top && Math.abs(left - before.left) < MOST_INDENT;

const isGap = (gap: number, { size }: StyledWord) => gap >= 0 && gap <= size * MOST_GAP;

/** Whether the center of the shape is in the middle half of the word's height. */
function isLevel(shape: Box, { top, bottom }: Box): boolean {
  const offset = (shape.top + shape.bottom - top - bottom) / 2;
  return Math.abs(offset) < (bottom - top) / 4;
}

/** Whether the shape is the mark in a checkbox. */
const isMarkIn = (box: Box, shape: Box): boolean =>
  box.left < shape.left &&
  box.top < shape.top &&
  box.right > shape.right &&
  box.bottom > shape.bottom;

function isBullet(shape: Box, { size }: StyledWord): boolean {
  const sides = [shape.right - shape.left, shape.bottom - shape.top];
  const [least, most] = [Math.min(...sides), Math.max(...sides)];
  return least >= size * LEAST_SIZE && most <= size * MOST_SIZE && most <= least * MOST_RATIO;
}
