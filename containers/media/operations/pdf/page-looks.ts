/** Renders pages at low resolution, and compares the pages of two files. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationContext } from '../operation.ts';
import { inParallel } from './in-parallel.ts';
import { readNetpbm } from './netpbm.ts';
import { poppler } from './poppler.ts';

/** The length of a rendered page's longer side, in pixels. */
const PIXELS = 256;
/**
 * The side length, in pixels, of the squares whose mean colors are compared. Differences in finer details are accepted.
 */
const SQUARE = 4;
const PAGES_AT_A_TIME = 10;
/**
 * The maximum color differences, from 0 to 255. `onAverage` applies to the mean over a page, and `anywhere` applies to
 * each square.
 */
interface Tolerance {
  onAverage: number;
  anywhere: number;
}

/** The tolerance for pages with re-encoded images. */
const LOSSY: Tolerance = { onAverage: 3, anywhere: 28 };
/** The tolerance for all other pages, such as those on which only the encoding of fonts or content has changed. */
const LOSSLESS: Tolerance = { onAverage: 0.2, anywhere: 8 };

export interface PageLook {
  width: number;
  height: number;
  /** The mean red, green and blue of each square. */
  squares: Uint8Array;
}

/**
 * Renders pages, and returns their appearance by page number, from 1. Runs at most one poppler process per core. Throws
 * ProgramFailure, ToolError, or the signal's abort reason.
 */
export async function pageLooks(
  path: string,
  pages: readonly number[],
  context: OperationContext,
): Promise<Map<number, PageLook>> {
  const looks = new Map<number, PageLook>();
  await inParallel(spansOf(pages), async ([first, last]) => {
    const directory = await mkdtemp(join(context.directory, 'looks-'));
    const span = ['-f', `${first}`, '-l', `${last}`, '-scale-to', `${PIXELS}`];
    await poppler('pdftoppm', [...span, path, join(directory, 'page')], context);
    for (const name of await readdir(directory)) {
      const page = Number(/-(\d+)\.ppm$/.exec(name)?.[1]);
      const look = readLook(await readFile(join(directory, name)));
      if (look) looks.set(page, look);
    }
    await rm(directory, { recursive: true });
  });
  return looks;
}

/** Whether all these pages look the same, overall and in each square. */
export function lookAlike(
  pages: { all: readonly number[]; lossy: ReadonlySet<number> },
  before: ReadonlyMap<number, PageLook>,
  after: ReadonlyMap<number, PageLook>,
): boolean {
  return pages.all.every((page) => {
    const [left, right] = [before.get(page), after.get(page)];
    const tolerance = pages.lossy.has(page) ? LOSSY : LOSSLESS;
    return left !== undefined && right !== undefined && isAlike(left, right, tolerance);
  });
}

function isAlike(left: PageLook, right: PageLook, { onAverage, anywhere }: Tolerance): boolean {
  if (left.width !== right.width || left.height !== right.height) return false;
  let sum = 0;
  let most = 0;
  for (const [index, value] of left.squares.entries()) {
    const difference = Math.abs(value - (right.squares[index] ?? 0));
    most = Math.max(most, difference);
    sum += difference;
  }
  return most <= anywhere && sum <= onAverage * left.squares.length;
}

/** Returns the mean colors of the squares of a rendered page. */
function readLook(bytes: Buffer): PageLook | undefined {
  const drawn = readNetpbm(bytes);
  if (!drawn || drawn.isOneBit) return undefined;
  const { width, height, rows } = drawn;
  const across = Math.ceil(width / SQUARE);
  const down = Math.ceil(height / SQUARE);
  const sums = new Float64Array(across * down * 3);
  const counts = new Uint32Array(across * down);
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / SQUARE) * across;
    for (let x = 0; x < width; x += 1) {
      const square = row + Math.floor(x / SQUARE);
      counts[square] = (counts[square] ?? 0) + 1;
      for (let channel = 0; channel < 3; channel += 1) {
        sums[square * 3 + channel] = (sums[square * 3 + channel] ?? 0) + (rows[at] ?? 0);
        at += 1;
      }
    }
  }
  const squares = Uint8Array.from(sums, (sum, index) =>
    Math.round(sum / (counts[Math.floor(index / 3)] ?? 1)),
  );
  return { width, height, squares };
}

/** Groups pages into runs of consecutive pages. Each run is short enough for one poppler process. */
function spansOf(pages: readonly number[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const page of [...pages].sort((left, right) => left - right)) {
    const span = spans.at(-1);
    if (span && span[1] + 1 === page && page - span[0] < PAGES_AT_A_TIME) span[1] = page;
    else spans.push([page, page]);
  }
  return spans;
}
