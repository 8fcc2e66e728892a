/** Collects the small shapes and the lines that a page paints. */
import type { PdfValue } from './objects.ts';
import type { Box, Matrix } from './page-space.ts';
import { PathReader } from './path-reader.ts';
import { RulingLines } from './ruling-lines.ts';
import { SmallShapes } from './small-shapes.ts';

export class PaintedShapes {
  private readonly paths = new PathReader();
  private readonly small = new SmallShapes();
  private readonly lines = new RulingLines();

  get shapes(): Box[] {
    return this.small.boxes;
  }

  get rules(): Box[] {
    return this.lines.boxes;
  }

  /** Executes an operator that constructs or paints a path. Ignores all others. */
  run(operator: string, operands: readonly PdfValue[], matrix: Matrix): void {
    const path = this.paths.run(operator, operands);
    if (!path) return;
    this.small.add(path, matrix);
    this.lines.add(path, matrix);
  }
}
