/** Finds the small shapes that a page paints, such as the bullets of a list. */
import { type Box, boxAround, type Matrix } from './page-space.ts';
import type { PaintedPath } from './path-reader.ts';

/** The minimum and the maximum of the width and height of a small shape, in points. */
const MIN_SIZE = 1;
const MAX_SIZE = 12;
/** The maximum number of small shapes. A page with more shapes shows a diagram. */
const MAX_SHAPES = 400;

export class SmallShapes {
  private readonly found: Box[] = [];

  /** Returns the boxes of the shapes, or an empty list if there are too many. */
  get boxes(): Box[] {
    return this.found.length > MAX_SHAPES ? [] : this.found;
  }

  /** Adds the path if it is a small shape. */
  add(path: PaintedPath, matrix: Matrix): void {
    if (this.found.length > MAX_SHAPES) return;
    const box = boxAround(matrix, path.subpaths.flat());
    const sizes = [box.right - box.left, box.bottom - box.top];
    if (sizes.every((size) => size >= MIN_SIZE && size <= MAX_SIZE)) this.found.push(box);
  }
}
