/** Converts the boxes of words in a cleaned or rotated image to the original page. */
import { applied, IDENTITY, type Matrix, times } from '../../pdf/page-space.ts';
import type { Cleaning } from '../image/scanned-page/page-cleaning.ts';
import type { Box } from '../image/scanned-page/page-pixels.ts';
import type { Rotation } from '../image/scanned-page/rotate-page.ts';

/** Returns the matrix from pixels of the cleaned image to pixels of the page. */
export function ofCleaned({ degrees, scale, width, height }: Cleaning): Matrix {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  // The page was rotated around its center, on a canvas large enough for the whole page.
  const canvasWidth = Math.abs(width * cos) + Math.abs(height * sin);
  const canvasHeight = Math.abs(width * sin) + Math.abs(height * cos);
  const fromCenter: Matrix = [1 / scale, 0, 0, 1 / scale, -canvasWidth / 2, -canvasHeight / 2];
  return times(fromCenter, [cos, -sin, sin, cos, width / 2, height / 2]);
}

/**
 * Returns the matrix from pixels of the recognized image to pixels of the page, which was rotated by `rotation` first.
 * @param size the size of the page
 */
export function ofPage(
  cleaning: Cleaning | null,
  rotation: Rotation,
  { width, height }: { width: number; height: number },
): Matrix {
  const back: Record<Rotation, Matrix> = {
    0: IDENTITY,
    90: [0, -1, 1, 0, 0, height],
    180: [-1, 0, 0, -1, width, height],
    270: [0, 1, -1, 0, width, 0],
  };
  return times(cleaning ? ofCleaned(cleaning) : IDENTITY, back[rotation]);
}

/** Returns the bounding box of a transformed box. */
export function movedBox(box: Box, matrix: Matrix): Box {
  const corners = [box.x, box.x + box.width].flatMap((x) =>
    [box.y, box.y + box.height].map((y) => applied(matrix, x, y)),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
