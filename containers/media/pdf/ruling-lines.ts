/** Finds the horizontal and vertical lines that a page paints, such as the rules of a table (ISO 32000-1, section 8.5). */
import type { PdfValue } from './objects.ts';
import { type Box, boxOf, type Matrix } from './page-space.ts';

/** The maximum width and the minimum length of a line, in points. */
const MAX_WIDTH = 3;
const MIN_LENGTH = 4;
/** The maximum number of lines. A page with more of them shows a diagram. */
const MAX_LINES = 3000;

/** Matches the operators that close a path before they paint it. */
const CLOSING = /^[sb]/;

type Point = readonly [number, number];

export class RulingLines {
  private readonly found: Box[] = [];
  /** The straight parts of the current path, and the boxes of its subpaths, in user space. */
  private segments: [Point, Point][] = [];
  private outlines: Point[][] = [];

  /** Returns the boxes of the lines. Returns none if there are too many. */
  get boxes(): Box[] {
    return this.found.length > MAX_LINES ? [] : this.found;
  }

  /** Executes an operator of a path. Ignores all others. */
  run(operator: string, operands: readonly PdfValue[], matrix: Matrix): void {
    const [x, y, width, height] = operands.map(Number) as [number, number, number, number];
    switch (operator) {
      case 'm':
        this.outlines.push([[x, y]]);
        break;
      case 'l':
        this.lineTo([x, y]);
        break;
      case 'h':
        this.close();
        break;
      case 're':
        this.outlines.push([[x, y]]);
        this.lineTo([x + width, y]);
        this.lineTo([x + width, y + height]);
        this.lineTo([x, y + height]);
        this.lineTo([x, y]);
        break;
      case 'S':
      case 's':
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
        if (CLOSING.test(operator)) this.close();
        for (const ends of this.segments) this.add(ends, matrix);
        this.clear();
        break;
      case 'f':
      case 'F':
      case 'f*':
        for (const outline of this.outlines) this.add(outline, matrix);
        this.clear();
        break;
      case 'n':
        this.clear();
        break;
    }
  }

  private lineTo(point: Point | undefined): void {
    const outline = this.outlines.at(-1);
    if (!outline || !point || this.segments.length > MAX_LINES) return;
    this.segments.push([outline.at(-1)!, point]);
    outline.push(point);
  }

  private close(): void {
    this.lineTo(this.outlines.at(-1)?.[0]);
  }

  private clear(): void {
    this.segments = [];
    this.outlines = [];
  }

  private add(points: readonly Point[], matrix: Matrix): void {
    if (this.found.length > MAX_LINES) return;
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const box = boxOf(matrix, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
    const sizes = [box.right - box.left, box.bottom - box.top];
    if (Math.min(...sizes) <= MAX_WIDTH && Math.max(...sizes) >= MIN_LENGTH) this.found.push(box);
  }
}
