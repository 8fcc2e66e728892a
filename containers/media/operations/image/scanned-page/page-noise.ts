/**
 * Recognizes blank pages. Noise, such as the grain of paper, has about the same strength everywhere on a page, and the
 * strokes of letters stand out from it.
 */
import type { GrayPixels } from './page-pixels.ts';

/** The side of a block, in pixels. The mean of a block has less noise than a pixel, and strokes remain visible. */
const BLOCK = 3;
/** The side of a cell, in blocks. The brightness of paper hardly varies within a cell. */
const CELL = 12;
/**
 * A page with fewer cells is never considered blank, because a single word may fill the image. Reading such a page
 * takes little time.
 */
const MIN_CELLS = 200;
/**
 * The quantile of the cells' deviations that is taken as the noise of the page. It is low, because most cells may
 * contain letters.
 */
const QUIET = 0.25;
/** The share of a normal distribution that is below one standard deviation above the median. */
const ONE_DEVIATION = 0.841;
/** The minimum and maximum standard deviation of noise between blocks. With more, the page is a photograph. */
const MIN_NOISE = 0.5;
const MAX_NOISE = 15;
/**
 * The minimum number of standard deviations by which strokes differ from their paper. Noise reaches 8 on a whole page,
 * and text so faint that Tesseract hardly reads it reaches 15.
 */
const STROKE = 10;

/** Whether a page contains only noise and gradual changes in brightness. */
export function isBlank(page: GrayPixels): boolean {
  const cells = cellsOf(blockMeans(page));
  if (cells.length < MIN_CELLS) return false;
  const deviations = Float32Array.from(cells, ({ deviation }) => deviation).sort();
  const noise = Math.max(MIN_NOISE, quantile(deviations, QUIET));
  if (noise > MAX_NOISE) return false;
  return cells.every(({ range }) => range < STROKE * noise);
}

interface Blocks {
  values: Float32Array;
  columns: number;
  rows: number;
}

interface Cell {
  /** The smaller of the standard deviations above and below the median, because letters are on only one side. */
  deviation: number;
  /** The largest difference of a block from the median. */
  range: number;
}

function blockMeans({ data, width, height }: GrayPixels): Blocks {
  const [columns, rows] = [Math.floor(width / BLOCK), Math.floor(height / BLOCK)];
  const values = new Float32Array(columns * rows);
  for (let y = 0; y < rows * BLOCK; y++) {
    const row = Math.floor(y / BLOCK) * columns;
    for (let x = 0; x < columns * BLOCK; x++) {
      values[row + Math.floor(x / BLOCK)]! += (data[y * width + x] as number) / BLOCK ** 2;
    }
  }
  return { values, columns, rows };
}

function cellsOf({ values, columns, rows }: Blocks): Cell[] {
  const cells: Cell[] = [];
  for (let top = 0; top + CELL <= rows; top += CELL) {
    for (let left = 0; left < columns; left += CELL) {
      const lines = Array.from({ length: CELL }, (_, line) => (top + line) * columns + left);
      const width = Math.min(CELL, columns - left);
      const inside = lines.flatMap((start) => [...values.subarray(start, start + width)]);
      cells.push(cellOf(Float32Array.from(inside).sort()));
    }
  }
  return cells;
}

function cellOf(sorted: Float32Array): Cell {
  const middle = quantile(sorted, 0.5);
  const above = quantile(sorted, ONE_DEVIATION) - middle;
  const below = middle - quantile(sorted, 1 - ONE_DEVIATION);
  const range = Math.max(quantile(sorted, 1) - middle, middle - quantile(sorted, 0));
  return { deviation: Math.min(above, below), range };
}

const quantile = (sorted: Float32Array, share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] as number;
