/** Finds the small shapes that a page paints, such as the bullets of a list (ISO 32000-1, section 8.5). */
import type { PdfValue } from './objects.ts';
import { type Box, boxOf, type Matrix } from './page-space.ts';

/** The sizes of a small shape in points. */
const MIN_SIZE = 1;
const MAX_SIZE = 12;
/** The maximum number of small shapes. A page with more of them shows a diagram. */
const MAX_SHAPES = 400;

const NOTHING: Box = {
  left: Number.POSITIVE_INFINITY,
  top: Number.POSITIVE_INFINITY,
  right: Number.NEGATIVE_INFINITY,
  bottom: Number.NEGATIVE_INFINITY,
};

export class SmallShapes {
  private readonly found: Box[] = [];
  /** The box of the current path in user space. Between the operators of a path, the matrix cannot change. */
  private path: Box = { ...NOTHING };

  /** Returns the boxes of the shapes. Returns none if there are too many. */
  get boxes(): Box[] {
    return this.found.length > MAX_SHAPES ? [] : this.found;
  }

  /** Executes an operator of a path. Ignores all others. */
  run(operator: string, operands: readonly PdfValue[], matrix: Matrix): void {
    switch (operator) {
      case 'm':
      case 'l':
      case 'c':
      case 'v':
      case 'y':
        for (let at = 0; at + 1 < operands.length; at += 2)
          this.add(operands[at], operands[at + 1]);
        break;
      case 're': {
        const [x, y, width, height] = operands;
        this.add(x, y);
        this.add(Number(x) + Number(width), Number(y) + Number(height));
        break;
      }
      case 'f':
      case 'F':
      case 'f*':
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
      case 'S':
      case 's':
        this.paint(matrix);
        this.path = { ...NOTHING };
        break;
      case 'n':
        this.path = { ...NOTHING };
        break;
    }
  }

  private add(x: PdfValue | undefined, y: PdfValue | undefined): void {
    if (typeof x !== 'number' || typeof y !== 'number') return;
    const { path } = this;
    path.left = Math.min(path.left, x);
    path.right = Math.max(path.right, x);
    path.top = Math.min(path.top, y);
    path.bottom = Math.max(path.bottom, y);
  }

  private paint(matrix: Matrix): void {
    if (this.found.length > MAX_SHAPES) return;
    const { left, top, right, bottom } = this.path;
    const box = boxOf(matrix, left, top, right, bottom);
    const sizes = [box.right - box.left, box.bottom - box.top];
    if (sizes.every((size) => size >= MIN_SIZE && size <= MAX_SIZE)) this.found.push(box);
  }
}
