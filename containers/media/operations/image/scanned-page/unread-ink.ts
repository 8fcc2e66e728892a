/** Measures, in an image process, the share of a page's text-like ink that OCR did not recognize as words. */
import { evenedOut, paperOf } from './page-paper.ts';
import { type Box, type GrayPixels, openPage } from './page-pixels.ts';

const MEASURED_SIDE = 1000;
/** The side of a cell, in pixels of the measured image. It is about the height of a line of small print. */
const CELL = 10;
/**
 * The minimum and maximum share of ink in a text-like cell. A cell with less ink contains dust, and a cell with more
 * ink contains a photograph or a filled area.
 */
const MIN_INK = 0.06;
const MAX_INK = 0.5;
const DARK = 150;
/** The minimum number of text-like cells that a page must have to be measured. */
const MIN_CELLS = 40;

export interface UnreadTask {
  /** The image that Tesseract read. */
  path: string;
  /** The boxes of the words found in the image, in pixels of the image. */
  boxes: Box[];
}

/** Returns the share, 0 to 1, of text-like cells without a word. Returns 0 for a page with few text-like cells. */
export async function unreadInk({ path, boxes }: UnreadTask): Promise<number> {
  const whole = await openPage(path);
  const small = await whole.within(MEASURED_SIDE);
  const page = { ...small, data: evenedOut(small, paperOf(small)) };
  const columns = Math.ceil(page.width / CELL);
  const covered = coveredCells(boxes, page.width / whole.width / CELL, columns);
  let [text, unread] = [0, 0];
  for (let row = 0; row * CELL < page.height; row++) {
    for (let column = 0; column < columns; column++) {
      if (!looksLikeText(page, column * CELL, row * CELL)) continue;
      text += 1;
      if (!covered.has(row * columns + column)) unread += 1;
    }
  }
  return text < MIN_CELLS ? 0 : unread / text;
}

/** Returns the cells that words cover, and the cells next to them. `scale` is in cells per pixel of the boxes. */
function coveredCells(boxes: readonly Box[], scale: number, columns: number): Set<number> {
  const cells = new Set<number>();
  for (const { x, y, width, height } of boxes) {
    const [left, right] = [Math.floor(x * scale) - 1, Math.floor((x + width) * scale) + 1];
    const [top, bottom] = [Math.floor(y * scale) - 1, Math.floor((y + height) * scale) + 1];
    for (let row = top; row <= bottom; row++) {
      for (let column = Math.max(0, left); column <= Math.min(columns - 1, right); column++) {
        cells.add(row * columns + column);
      }
    }
  }
  return cells;
}

function looksLikeText({ data, width, height }: GrayPixels, left: number, top: number): boolean {
  let [pixels, ink] = [0, 0];
  for (let y = top; y < Math.min(height, top + CELL); y++) {
    for (let x = left; x < Math.min(width, left + CELL); x++) {
      pixels += 1;
      if ((data[y * width + x] as number) < DARK) ink += 1;
    }
  }
  return ink >= pixels * MIN_INK && ink <= pixels * MAX_INK;
}
