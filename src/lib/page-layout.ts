/** Computes where an image is placed on a page of a PDF. The preview on a tool's page uses the same code. */

/** Paper sizes in points, as width and height. */
export const PAPER = { a4: [595, 842], letter: [612, 792] } as const;

export interface PageLayout {
  /** `fit` maps one pixel to one point. `physical` uses the pixel density that the image declares, if any. */
  pageSize: 'fit' | 'physical' | keyof typeof PAPER;
  /** Whether the paper is in landscape orientation for an image that is wider than it is high. */
  isLandscapeAllowed?: boolean;
  /** The margin on every side, in points. */
  margin: number;
}

export interface Placed {
  pageWidth: number;
  pageHeight: number;
  width: number;
  height: number;
  x: number;
  y: number;
}

const POINTS_PER_INCH = 72;
/** The pixel density of a typical screen, in pixels per inch. */
const SCREEN_DENSITY = 96;
/** The length of the long side of A3, in points. */
const A3_LONG = 1191;

/**
 * Returns the number of points per pixel for a page that has the physical size of its image. Many programs write a
 * screen's low density into every image. If an image has such a density or none, and more pixels on its long side than
 * A3 has points, the side is reduced to the length of A4.
 */
function pointsPerPixel(columns: number, rows: number, density: number): number {
  const [short, long] = [Math.min(columns, rows), Math.max(columns, rows)];
  const [a4Short, a4Long] = PAPER.a4;
  const isUnknown = density <= SCREEN_DENSITY && long > A3_LONG;
  // A strip, such as a screenshot of a long page, is scaled to the width of A4.
  if (isUnknown) return Math.min(1, Math.max(a4Long / long, a4Short / short));
  // A declared density below 72 pixels per inch is seldom correct.
  return Math.min(1, POINTS_PER_INCH / density);
}

/**
 * Returns the position of an oriented image of this size on its page, in points.
 *
 * @param density in pixels per inch
 */
export function placed(
  columns: number,
  rows: number,
  layout: PageLayout,
  density = POINTS_PER_INCH,
): Placed {
  const { pageSize, margin, isLandscapeAllowed } = layout;
  const points = pageSize === 'physical' ? pointsPerPixel(columns, rows, density) : 1;
  const [width, height] = [columns * points, rows * points];
  if (pageSize === 'fit' || pageSize === 'physical') {
    const [pageWidth, pageHeight] = [width + 2 * margin, height + 2 * margin];
    return { pageWidth, pageHeight, width, height, x: margin, y: margin };
  }
  const [short, long] = PAPER[pageSize];
  const [pageWidth, pageHeight] =
    isLandscapeAllowed && width > height ? [long, short] : [short, long];
  const scale = Math.min((pageWidth - 2 * margin) / width, (pageHeight - 2 * margin) / height);
  const [shownWidth, shownHeight] = [width * scale, height * scale];
  return {
    pageWidth,
    pageHeight,
    width: shownWidth,
    height: shownHeight,
    x: (pageWidth - shownWidth) / 2,
    y: (pageHeight - shownHeight) / 2,
  };
}
