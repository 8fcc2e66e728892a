/** Uses pdfimages to find the images on pages and their resolutions. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PdfDocument } from '../../pdf/document.ts';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import { reveal } from '../../pdf/reveal.ts';
import { ProgramFailure, ProgramTimeout } from '../../program-failure.ts';
import type { OperationContext } from '../operation.ts';
import { poppler } from './poppler.ts';

/** An image object and the lowest resolution at which a page shows it. */
export interface ShownImage {
  number: number;
  generation: number;
  /** The resolution in pixels per inch. */
  ppi: number;
}

export interface ShownImages {
  /**
   * The image objects of the type `image`, which may have a soft mask. Each image is listed once, with the numbers,
   * from 1, of the pages that show it, and with its index among the images of all types on the first of these pages.
   */
  objects: (ShownImage & { pages: number[]; index: number })[];
  /**
   * The number of images by page and type, with keys such as `3 smask`. Types are `image`, `stencil`, `mask` and
   * `smask`.
   */
  counts: Map<string, number>;
}

/**
 * Matches a line with the columns: page num type width height color comp bpc enc interp (object ID | [inline]) x-ppi
 * y-ppi
 */
const LINE =
  /^\s*(\d+)\s+(\d+)\s+(\w+)\s+\d+\s+\d+\s+\S+\s+\d+\s+\d+\s+\S+\s+\S+\s+(?:(\d+)\s+(\d+)|\[inline\])\s+(\d+)\s+(\d+)\s/;

/** Throws ProgramFailure, ToolError, or the signal's abort reason. */
export async function shownImages(path: string, context: OperationContext): Promise<ShownImages> {
  const { stdout } = await poppler('pdfimages', ['-list', path], context);
  const counts = new Map<string, number>();
  const objects = new Map<string, ShownImages['objects'][number]>();
  const firstOf = new Map<string, number>();
  for (const line of stdout.toString('latin1').split('\n')) {
    const [, page, order, type, number, generation, xPpi, yPpi] = LINE.exec(line) ?? [];
    if (!page) continue;
    const first = firstOf.get(page) ?? Number(order);
    firstOf.set(page, first);
    const key = `${page} ${type}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (type !== 'image' || !number) continue;
    const ppi = Math.min(Number(xPpi), Number(yPpi));
    const known = objects.get(number);
    if (!known) {
      objects.set(number, {
        number: Number(number),
        generation: Number(generation),
        ppi,
        pages: [Number(page)],
        index: Number(order) - first,
      });
      continue;
    }
    known.ppi = Math.min(known.ppi, ppi);
    if (known.pages.at(-1) !== Number(page)) known.pages.push(Number(page));
  }
  return { objects: [...objects.values()], counts };
}

/** Returns the pages that show images, counted from 1. The set is empty if poppler cannot list the images. */
export async function pagesWithImages(
  path: string,
  context: OperationContext,
): Promise<Set<number>> {
  try {
    const { counts } = await shownImages(path, context);
    const shown = [...counts.keys()].filter((key) => key.endsWith(' image'));
    return new Set(shown.map((key) => Number.parseInt(key, 10)));
  } catch (error) {
    if (error instanceof ProgramFailure || error instanceof ProgramTimeout) return new Set();
    throw error;
  }
}

/**
 * Returns the images, each with the lowest resolution at which it is used anywhere, including hidden layers and
 * print-only annotations. Throws PdfDamage, and the errors of `shownImages`.
 */
export async function withHiddenShowings(
  { objects, counts }: ShownImages,
  document: PdfDocument,
  context: OperationContext,
): Promise<ShownImages> {
  const update = new IncrementalUpdate(document);
  reveal(document, update);
  if (objects.length === 0 || update.size === 0) return { objects, counts };
  const path = join(context.directory, 'revealed.pdf');
  await writeFile(path, [document.bytes, update.build()]);
  const all = await shownImages(path, context);
  await rm(path);
  const lowest = new Map(all.objects.map(({ number, ppi }) => [number, ppi]));
  const withLowest = objects.map((shown) => ({
    ...shown,
    ppi: Math.min(shown.ppi, lowest.get(shown.number) ?? 0),
  }));
  return { objects: withLowest, counts };
}

/** Whether every page shows the same number of images of each type. */
export const showsAsMany = (before: ShownImages, after: ShownImages): boolean =>
  before.counts.size === after.counts.size &&
  [...before.counts].every(([key, count]) => after.counts.get(key) === count);
