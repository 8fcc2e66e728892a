/**
 * Measures the slant of a page's lines from its projection profile. If the rows of pixels are parallel to the lines,
 * each row is either mostly ink or mostly paper.
 */
import type { GrayPixels } from './page-pixels.ts';

const MAX_DEGREES = 20;
const FINE_STEP = 0.1;
/** The maximum number of ink pixels to measure. Measuring more pixels would not change the result. */
const MAX_INK = 60_000;
/** The brightness below which a pixel counts as ink, as a share of white. Paper is almost white. */
const INK = 0.6;
/** The maximum share of ink on a page with text. A page with more ink is a photograph. */
const MAX_COVERED = 0.4;
/** The minimum factor by which the profile of the leveled page must be clearer than the original profile. */
const CLEARER = 1.25;

/** Returns the slant in degrees clockwise, or 0 if the lines do not slant. */
export function slantOf(page: GrayPixels): number {
  const ink = inkOf(page);
  if (ink.xs.length < 100) return 0;
  const coarse = best(ink, -MAX_DEGREES, MAX_DEGREES, 1);
  const fine = best(ink, coarse - 1, coarse + 1, FINE_STEP);
  // A maximum at the end of the range is not a peak. In that case, the lines run in another direction.
  if (Math.abs(coarse) >= MAX_DEGREES) return 0;
  return clarity(ink, fine) >= CLEARER * clarity(ink, 0) ? fine : 0;
}

interface Ink {
  xs: number[];
  ys: number[];
  size: number;
}

function inkOf({ data, width, height }: GrayPixels): Ink {
  const dark = 255 * INK;
  const total = data.reduce((sum, value) => sum + (value < dark ? 1 : 0), 0);
  if (total > MAX_COVERED * data.length) return { xs: [], ys: [], size: 0 };
  const step = Math.max(1, Math.ceil(total / MAX_INK));
  const [xs, ys]: [number[], number[]] = [[], []];
  let count = 0;
  for (let at = 0; at < data.length; at++) {
    if ((data[at] as number) >= dark || count++ % step !== 0) continue;
    xs.push(at % width);
    ys.push(Math.floor(at / width));
  }
  return { xs, ys, size: width + height };
}

function best(ink: Ink, from: number, to: number, step: number): number {
  let [found, most] = [0, -1];
  for (let degrees = from; degrees <= to + step / 2; degrees += step) {
    const value = clarity(ink, degrees);
    if (value > most) [found, most] = [degrees, value];
  }
  return Math.round(found * 10) / 10;
}

/**
 * Returns the sum of squared differences between neighboring rows of the profile, after the page is rotated back by
 * `degrees`.
 */
function clarity({ xs, ys, size }: Ink, degrees: number): number {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const rows = new Uint32Array(2 * size + 2);
  for (let at = 0; at < xs.length; at++) {
    rows[Math.round((ys[at] as number) * cos - (xs[at] as number) * sin) + size]! += 1;
  }
  let sum = 0;
  for (let row = 1; row < rows.length; row++) {
    sum += ((rows[row] as number) - (rows[row - 1] as number)) ** 2;
  }
  return sum;
}
