/** Measures and evens out the brightness of a page's paper, which varies because of shadows and poor lighting. */
import type { GrayPixels } from './page-pixels.ts';

/**
 * The number of cells along the longer side. A cell is as tall as a few lines of text, so it also contains blank paper.
 */
const CELLS = 40;
/** The quantile of a cell's pixel values that is taken as the brightness of its paper. */
const PAPER_QUANTILE = 0.9;
/** Paper is uneven if its brightness varies by more than this share. Letters on uneven paper are hard to recognize. */
const UNEVEN = 0.2;
/** The minimum median brightness of paper. A darker page is a photograph, or has light letters on a dark background. */
const MIN_PAPER = 90;
/** The radius, in cells, of the neighborhood over which brightness is combined. */
const NEIGHBORS = 1;

export interface Paper {
  columns: number;
  rows: number;
  /** The brightness of each cell, 1 to 255, row by row. */
  cells: Uint8Array;
}

export function paperOf({ data, width, height }: GrayPixels): Paper {
  const side = Math.max(1, Math.max(width, height) / CELLS);
  const columns = Math.max(1, Math.round(width / side));
  const rows = Math.max(1, Math.round(height / side));
  const cells = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const counts = new Uint32Array(256);
      let total = 0;
      for (let y = start(row, rows, height); y < start(row + 1, rows, height); y++) {
        for (let x = start(column, columns, width); x < start(column + 1, columns, width); x++) {
          counts[data[y * width + x] as number]! += 1;
          total++;
        }
      }
      cells[row * columns + column] = Math.max(1, quantile(counts, total, PAPER_QUANTILE));
    }
  }
  return smoothed(brightest({ columns, rows, cells }));
}

const start = (cell: number, cells: number, pixels: number) => Math.floor((cell * pixels) / cells);

function quantile(counts: Uint32Array, total: number, share: number): number {
  let left = total * share;
  for (let value = 0; value < 256; value++) {
    left -= counts[value] as number;
    if (left <= 0) return value;
  }
  return 255;
}

/** Whether the brightness of the paper varies so much that letters are hard to recognize. */
export function isUneven({ cells }: Paper): boolean {
  const sorted = cells.toSorted();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] as number;
  return at(0.5) >= MIN_PAPER && at(0.05) < at(0.95) * (1 - UNEVEN);
}

/** Uses the brightest neighboring cell, so that dense text and rules in a cell are not mistaken for shadow. */
const brightest = (paper: Paper): Paper => combined(paper, (values) => Math.max(...values));

const smoothed = (paper: Paper): Paper =>
  combined(paper, (values) => values.reduce((sum, value) => sum + value, 0) / values.length);

function combined({ columns, rows, cells }: Paper, combine: (values: number[]) => number): Paper {
  const next = new Uint8Array(cells.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const values: number[] = [];
      for (let y = row - NEIGHBORS; y <= row + NEIGHBORS; y++) {
        for (let x = column - NEIGHBORS; x <= column + NEIGHBORS; x++) {
          if (y >= 0 && y < rows && x >= 0 && x < columns) {
            values.push(cells[y * columns + x] as number);
          }
        }
      }
      next[row * columns + column] = Math.round(combine(values));
    }
  }
  return { columns, rows, cells: next };
}

/** Divides each pixel by the brightness of the paper around it, so that the paper becomes white. */
export function evenedOut({ data, width, height }: GrayPixels, paper: Paper): Uint8Array {
  const { columns, rows, cells } = paper;
  const evened = new Uint8Array(data.length);
  const row = new Float32Array(columns);
  const across = Array.from({ length: width }, (_, x) => cellsAround(x, width, columns));
  for (let y = 0; y < height; y++) {
    const down = cellsAround(y, height, rows);
    for (let column = 0; column < columns; column++) {
      row[column] = between(
        cells,
        down.first * columns + column,
        down.second * columns + column,
        down.weight,
      );
    }
    for (let x = 0; x < width; x++) {
      const { first, second, weight } = across[x]!;
      const white = between(row, first, second, weight);
      const at = y * width + x;
      evened[at] = Math.min(255, ((data[at] as number) * 255) / white);
    }
  }
  return evened;
}

/** Returns the two cells whose centers are on either side of a pixel, and the weight of the second cell. */
function cellsAround(pixel: number, pixels: number, cells: number) {
  const position = ((pixel + 0.5) * cells) / pixels - 0.5;
  const first = Math.min(cells - 1, Math.max(0, Math.floor(position)));
  const second = Math.min(cells - 1, first + 1);
  return { first, second, weight: Math.min(1, Math.max(0, position - first)) };
}

/** Interpolates between two values. `weight` is the weight of the second one. */
const between = (
  values: Uint8Array | Float32Array,
  first: number,
  second: number,
  weight: number,
): number => (values[first] as number) * (1 - weight) + (values[second] as number) * weight;
