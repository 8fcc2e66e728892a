/** Defines rectangles in an image, in pixels from the upper left corner, and sorts them in reading order. */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The maximum overlap of two separate boxes, as a share of the smaller box. Boxes overlap slightly if the gutters are
 * slanted.
 */
const OVERLAP = 0.15;

/**
 * Orders boxes by rows from top to bottom, and within a row from left to right. If a tall box is beside a stack of
 * boxes, it comes before or after the whole stack.
 */
export function inReadingOrder(boxes: readonly Box[]): Box[] {
  if (boxes.length < 2) return [...boxes];
  const groups = parted(boxes, 'y', 'height') ?? parted(boxes, 'x', 'width');
  if (groups) return groups.flatMap(inReadingOrder);
  // Boxes in a pinwheel arrangement cannot be separated by straight lines, so they are sorted by their upper left
  // corners.
  return [...boxes].sort((a, b) => a.y + a.x / 2 - (b.y + b.x / 2));
}

/** Splits the boxes into groups along lines perpendicular to this axis. Returns null if there is no such line. */
function parted(boxes: readonly Box[], start: 'x' | 'y', size: 'width' | 'height'): Box[][] | null {
  const sorted = [...boxes].sort((a, b) => a[start] - b[start]);
  const groups: Box[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const box of sorted) {
    const group = groups.at(-1);
    const slack = OVERLAP * Math.min(box[size], ...(group ?? []).map((other) => other[size]));
    if (group && box[start] < end - slack) group.push(box);
    else groups.push([box]);
    end = Math.max(end, box[start] + box[size]);
  }
  return groups.length > 1 ? groups : null;
}
