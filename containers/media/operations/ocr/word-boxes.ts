/** The words that were recognised, and where they stand. */
import type { Cleaning } from '../image/scanned-page/page-cleaning.ts';
import type { Box } from '../image/scanned-page/page-pixels.ts';

export interface Word extends Box {
  text: string;
  /** 0 to 1. */
  confidence: number;
}

/** A box of the cleaned image as a box of the page. */
export function onPage(box: Box, { degrees, scale, width, height }: Cleaning): Box {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  // The turned page is in the middle of the canvas that holds all of it.
  const canvasWidth = Math.abs(width * cos) + Math.abs(height * sin);
  const canvasHeight = Math.abs(width * sin) + Math.abs(height * cos);
  const corners = [box.x, box.x + box.width].flatMap((x) =>
    [box.y, box.y + box.height].map((y) => {
      const [fromCentreX, fromCentreY] = [
        x / scale - canvasWidth / 2,
        y / scale - canvasHeight / 2,
      ];
      return {
        x: fromCentreX * cos + fromCentreY * sin + width / 2,
        y: fromCentreY * cos - fromCentreX * sin + height / 2,
      };
    }),
  );
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** A box of an image that is upside down, as a box of the upright image. */
export const upright = (box: Box, image: { width: number; height: number }): Box => ({
  ...box,
  x: image.width - box.x - box.width,
  y: image.height - box.y - box.height,
});
