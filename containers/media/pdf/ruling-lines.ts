/** Finds the horizontal and vertical lines that a page paints, such as the rules of a table. */
import { type Box, boxAround, type Matrix } from './page-space.ts';
import type { PaintedPath, Point } from './path-reader.ts';

/** The maximum width of a line, in points. */
const MAX_WIDTH = 3;
/** The minimum length of a line, in points. */
const MIN_LENGTH = 4;
/** The maximum number of lines. A page with more lines shows a diagram. */
const MAX_LINES = 3000;

export class RulingLines {
  private readonly found: Box[] = [];

  /** Returns the boxes of the lines, or an empty list if there are too many. */
  get boxes(): Box[] {
    return this.found.length > MAX_LINES ? [] : this.found;
  }

  /** Adds the lines of a path: the segments of a stroked path, or the narrow subpaths of a filled one. */
  add(path: PaintedPath, matrix: Matrix): void {
    for (const points of path.isStroked ? path.lines : path.subpaths)
      this.addIfLine(points, matrix);
  }

  private addIfLine(points: readonly Point[], matrix: Matrix): void {
    if (this.found.length > MAX_LINES) return;
    const box = boxAround(matrix, points);
    const sizes = [box.right - box.left, box.bottom - box.top];
    if (Math.min(...sizes) <= MAX_WIDTH && Math.max(...sizes) >= MIN_LENGTH) this.found.push(box);
  }
}
