/** Computes heights, alignment, bounds and groups of boxes on a page. */
import type { Box } from '../../pdf/page-space.ts';

type Sides = Pick<Box, 'left' | 'right'>;

export const heightOf = ({ top, bottom }: Pick<Box, 'top' | 'bottom'>) => bottom - top;

/** Whether the boxes overlap horizontally. */
export const overlaps = (one: Sides, other: Sides) =>
  one.left < other.right && other.left < one.right;

/**
 * Whether the boxes are side by side: the middle of the second one is level with the first one, and they do not overlap
 * horizontally.
 */
export function areSideBySide(one: Box, other: Box): boolean {
  const middle = (other.top + other.bottom) / 2;
  return middle > one.top && middle < one.bottom && !overlaps(one, other);
}

/** Whether the left edges, the right edges or the centers of both boxes are less than `most` apart. */
export function areAligned(one: Sides, other: Sides, most: number): boolean {
  const [left, right] = [one.left - other.left, one.right - other.right];
  return [left, right, (left + right) / 2].some((distance) => Math.abs(distance) < most);
}

/** Words with their bounding box. */
export interface Group<Each extends Box> extends Box {
  words: Each[];
}

/** Groups words, in the given order. A word that does not belong to the current group begins a new group. */
export function grouped<Each extends Box>(
  words: readonly Each[],
  belongs: (group: Group<Each>, word: Each) => boolean,
): Group<Each>[] {
  const groups: Group<Each>[] = [];
  for (const word of words) {
    const group = groups.at(-1);
    if (group && belongs(group, word)) {
      extend(group, word);
      group.words.push(word);
    } else groups.push({ ...around([word]), words: [word] });
  }
  return groups;
}

/** Returns the smallest box that contains all these boxes. */
export function around([first, ...others]: readonly Box[]): Box {
  const { left, top, right, bottom } = first!;
  const box = { left, top, right, bottom };
  for (const other of others) extend(box, other);
  return box;
}

/** Enlarges a box so that it also contains the other box. */
export function extend(box: Box, other: Box): void {
  box.left = Math.min(box.left, other.left);
  box.right = Math.max(box.right, other.right);
  box.top = Math.min(box.top, other.top);
  box.bottom = Math.max(box.bottom, other.bottom);
}
