/** Finds list items whose bullets are drawn as shapes, as Chromium draws them, and the depth of list items. */
import type { Box } from '../../pdf/page-space.ts';
import { type Line, startsItem } from './page-lines.ts';
import type { StyledWord } from './styled-words.ts';

/** The parts of a block that determine its depth in a list. */
interface ListBlock extends Box {
  type: string;
  lines: Line[];
  level?: number;
}

/** The minimum and maximum size of a bullet, as shares of the font size. Checkboxes are larger. */
const MIN_SIZE = 0.15;
const MAX_SIZE = 0.6;
/** The maximum ratio of the sides of a bullet. */
const MAX_RATIO = 1.3;
/** The maximum distance between a bullet and the words beside it, as a share of the font size. */
const MAX_GAP = 1.5;
/**
 * The maximum difference in points between the left edges of items at the same depth, and of items in the same list.
 */
const SAME_EDGE = 3;
const MAX_INDENT = 100;
/** The maximum depth of an item. Without it, the Markdown of n items could contain n² characters of indentation. */
const MAX_LEVELS = 20;

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

/** Sets the depth of consecutive items with bullets or numbers by their indentation. */
export function nestItems(blocks: readonly ListBlock[]): void {
  let before: ListBlock | undefined;
  /** The current item and the items that contain it. */
  let open: ListBlock[] = [];
  for (const block of blocks) {
    if (block.type !== 'list item') before = undefined;
    else {
      if (!before || !isNear(before, block)) open = [];
      open = [...open.filter((item) => contains(item, block)).slice(0, MAX_LEVELS - 1), block];
      block.level = open.length;
      before = block;
    }
  }
}

/**
 * Whether both the number and the text of an item are indented further than those of another item. The numbers of one
 * list may be aligned at either edge.
 */
const contains = (outer: ListBlock, item: ListBlock): boolean =>
  outer.left < item.left - SAME_EDGE && textEdge(outer) < textEdge(item) - SAME_EDGE;

/** Returns the left edge of the text after the bullet or number of an item. */
function textEdge(item: ListBlock): number {
  const line = item.lines[0]!;
  return hasBullet(item) || !startsItem(line) ? item.left : line.words[1]!.left;
}

/** Whether an item is below the item before it, in the same column. */
const isNear = (before: ListBlock, { left, top }: ListBlock): boolean =>
  top > before.top && Math.abs(left - before.left) < MAX_INDENT;

const isGap = (gap: number, { size }: StyledWord) => gap >= 0 && gap <= size * MAX_GAP;

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
  return least >= size * MIN_SIZE && most <= size * MAX_SIZE && most <= least * MAX_RATIO;
}
