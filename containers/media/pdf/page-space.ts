/**
 * Computes the coordinate system of a page as shown, from its boxes and rotation (ISO 32000-1, sections 8.3 and
 * 14.11.2).
 */
import type { PdfDocument } from './document.ts';
import type { Page } from './pages.ts';

/** A rectangle in points from the top left corner of the page as shown. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A matrix with the elements a b c d e f, in the order of the operands of `cm`. */
export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the matrix that applies `m` first and then `n`. */
export const times = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[1] * n[2],
  m[0] * n[1] + m[1] * n[3],
  m[2] * n[0] + m[3] * n[2],
  m[2] * n[1] + m[3] * n[3],
  m[4] * n[0] + m[5] * n[2] + n[4],
  m[4] * n[1] + m[5] * n[3] + n[5],
];

export const applied = (m: Matrix, x: number, y: number): [number, number] => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
];

/** Returns the bounding box of points after a transformation. */
export function boxAround(matrix: Matrix, points: readonly (readonly [number, number])[]): Box {
  const box = {
    left: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  };
  for (const point of points) {
    const [x, y] = applied(matrix, ...point);
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** Returns the bounding box of a transformed rectangle. */
export const boxOf = (matrix: Matrix, x0: number, y0: number, x1: number, y1: number): Box =>
  boxAround(matrix, [
    [x0, y0],
    [x1, y0],
    [x0, y1],
    [x1, y1],
  ]);

export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const determinant = a * d - b * c;
  const linear: Matrix = [d, -b, -c, a, 0, 0].map((value) => value / determinant) as never;
  const [x, y] = applied(linear, -e, -f);
  return [linear[0], linear[1], linear[2], linear[3], x, y];
}

/**
 * Returns the size of the page, and the matrix from user space to points from the top left corner of the page as shown.
 * @param box the box that is shown; without a CropBox, the MediaBox is used
 */
export function pageSpace(document: PdfDocument, page: Page, box: 'MediaBox' | 'CropBox') {
  const entry = (key: string) => page.dictionary.get(key) ?? page.inherited.get(key);
  const corners = (key: string) => document.numbers(entry(key), 4);
  const media = ordered(corners('MediaBox') ?? [0, 0, 612, 792]);
  const shown = box === 'CropBox' ? ordered(corners('CropBox') ?? media) : media;
  const [left, low] = [Math.max(media[0]!, shown[0]!), Math.max(media[1]!, shown[1]!)];
  const [right, high] = [Math.min(media[2]!, shown[2]!), Math.min(media[3]!, shown[3]!)];
  const rotation = ((((document.number(entry('Rotate')) ?? 0) % 360) + 360) % 360) as
    | 0
    | 90
    | 180
    | 270;
  const matrices: Record<number, Matrix> = {
    0: [1, 0, 0, -1, -left, high],
    90: [0, 1, 1, 0, -low, -left],
    180: [-1, 0, 0, 1, right, -low],
    270: [0, -1, -1, 0, high, right],
  };
  const [width, height] = [right - left, high - low];
  const isSideways = rotation === 90 || rotation === 270;
  return {
    matrix: matrices[rotation] ?? matrices[0]!,
    width: isSideways ? height : width,
    height: isSideways ? width : height,
  };
}

/** Returns the left, bottom, right and top of a rectangle whose corners may be in any order. */
const ordered = ([a = 0, b = 0, c = 0, d = 0]: number[]): number[] => [
  Math.min(a, c),
  Math.min(b, d),
  Math.max(a, c),
  Math.max(b, d),
];
