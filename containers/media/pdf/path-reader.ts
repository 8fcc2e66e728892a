/** Reads the paths that a content stream paints (ISO 32000-1, section 8.5). */
import type { PdfValue } from './objects.ts';

/** The maximum number of points of a path. A path with more points is part of a diagram, and is ignored. */
const MAX_POINTS = 15_000;

export type Point = readonly [x: number, y: number];

/** A path in user space. */
export interface PaintedPath {
  /** Whether its outline is painted, possibly in addition to its area. */
  isStroked: boolean;
  /** The points of each subpath, with the control points of curves. */
  subpaths: Point[][];
  /** The straight line segments of all subpaths. */
  lines: [from: Point, to: Point][];
}

export class PathReader {
  private subpaths: Point[][] = [];
  private lines: [Point, Point][] = [];
  private points = 0;

  /** Executes an operator. Returns the path if the operator paints it, otherwise undefined. */
  run(operator: string, operands: readonly PdfValue[]): PaintedPath | undefined {
    const [x, y, width, height] = operands.map(Number) as [number, number, number, number];
    switch (operator) {
      case 'm':
        this.moveTo([x, y]);
        break;
      case 'l':
        this.lineTo([x, y]);
        break;
      case 'c':
      case 'v':
      case 'y':
        for (let at = 0; at + 1 < operands.length; at += 2)
          this.append([Number(operands[at]), Number(operands[at + 1])]);
        break;
      case 're':
        this.moveTo([x, y]);
        this.lineTo([x + width, y]);
        this.lineTo([x + width, y + height]);
        this.lineTo([x, y + height]);
        this.close();
        break;
      case 'h':
        this.close();
        break;
      case 'f':
      case 'F':
      case 'f*':
        return this.finish(false);
      case 'S':
      case 'B':
      case 'B*':
        return this.finish(true);
      case 's':
      case 'b':
      case 'b*':
        this.close();
        return this.finish(true);
      case 'n':
        this.finish(false);
        break;
    }
    return undefined;
  }

  private moveTo(point: Point): void {
    this.points += 1;
    if (this.points <= MAX_POINTS) this.subpaths.push([point]);
  }

  private append(point: Point): void {
    this.points += 1;
    if (this.points <= MAX_POINTS) this.subpaths.at(-1)?.push(point);
  }

  private lineTo(point: Point): void {
    const last = this.subpaths.at(-1)?.at(-1);
    if (last && this.points < MAX_POINTS) this.lines.push([last, point]);
    this.append(point);
  }

  private close(): void {
    const first = this.subpaths.at(-1)?.[0];
    if (first) this.lineTo(first);
  }

  /** Begins the next path. Returns the current one unless it has too many points. */
  private finish(isStroked: boolean): PaintedPath | undefined {
    const { subpaths, lines, points } = this;
    this.subpaths = [];
    this.lines = [];
    this.points = 0;
    return points > MAX_POINTS ? undefined : { isStroked, subpaths, lines };
  }
}
