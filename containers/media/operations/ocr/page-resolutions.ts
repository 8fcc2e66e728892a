/** Determines the resolution at which each page of a PDF is rendered for OCR. */
import { ProgramFailure } from '../../program-failure.ts';
import type { OperationContext } from '../operation.ts';
import { poppler } from '../pdf/poppler.ts';

/** The usual resolution in dots per inch. */
export const RESOLUTION = 300;
export const POINTS_PER_INCH = 72;
/**
 * The maximum number of pixels per rendered page. Pages larger than A1 exceed it at 300 dpi, so they are rendered at a
 * lower resolution.
 */
const MAX_RENDERED_PIXELS = 70_000_000;
/**
 * The area of A3 in square points. A larger page that consists of one image is rendered at the resolution of the image.
 */
const LARGE_AREA = 842 * 1191;
/** The minimum share of a page that its image must cover. */
const MIN_COVERED = 0.8;
export interface PageResolutions {
  /** The resolution of each page in dots per inch. */
  resolutions: number[];
  warnings: string[];
}

/** @param sizes the width and height of the pages in points */
export async function pageResolutions(
  path: string,
  sizes: readonly (readonly [width: number, height: number])[],
  context: OperationContext,
): Promise<PageResolutions> {
  const areas = sizes.map(([width, height]) => width * height);
  const isAnyLarge = areas.some((area) => area > LARGE_AREA);
  const ofImages = isAnyLarge ? await imageResolutions(path, areas, context) : new Map();
  const warnings: string[] = [];
  const resolutions = areas.map((area, index) => {
    const fitting = Math.floor(POINTS_PER_INCH * Math.sqrt(MAX_RENDERED_PIXELS / area));
    // If a page was made from a photo without a density, one pixel is one point. A higher resolution would only enlarge
    // the photo.
    const ofImage = area > LARGE_AREA ? ofImages.get(index) : undefined;
    const wanted = Math.min(RESOLUTION, ofImage ?? RESOLUTION);
    const resolution = Math.max(1, Math.min(wanted, fitting));
    if (resolution < wanted)
      warnings.push(
        `Page ${index + 1} is so large that it was read at ${resolution} dpi instead of ${wanted}.`,
      );
    return resolution;
  });
  return { resolutions, warnings };
}

/** Returns the image resolution of each page that one image covers almost completely, by page index. */
async function imageResolutions(
  path: string,
  areas: readonly number[],
  context: OperationContext,
): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  try {
    const span = ['-f', '1', '-l', String(areas.length)];
    const { stdout } = await poppler('pdfimages', ['-list', ...span, path], context);
    for (const line of stdout.toString('latin1').split('\n')) {
      const columns = line.trim().split(/ +/);
      const [page, , kind, width, height] = columns;
      const [x, y] = [Number(columns.at(-4)), Number(columns.at(-3))];
      if (kind !== 'image') continue;
      const area = (Number(width) / x) * (Number(height) / y) * POINTS_PER_INCH ** 2;
      const index = Number(page) - 1;
      if (area >= MIN_COVERED * areas[index]!) found.set(index, Math.max(x, y));
    }
  } catch (error) {
    // If poppler cannot list the images, the pages are rendered at the usual resolution.
    if (!(error instanceof ProgramFailure)) throw error;
  }
  return found;
}
