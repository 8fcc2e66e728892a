/** Checks whether another version of a PDF has the same content, text and appearance. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PdfDocument } from '../../pdf/document.ts';
import { type Inventory, lossBetween, takeInventory } from '../../pdf/inventory.ts';
import { PdfDamage } from '../../pdf/objects.ts';
import { ProgramFailure } from '../../program-failure.ts';
import type { OperationContext } from '../operation.ts';
import { lookAlike, type PageLook, pageLooks } from './page-looks.ts';
import { poppler } from './poppler.ts';
import { type ShownImages, shownImages, showsAsMany } from './shown-images.ts';

/** The properties of the original file to which other versions are compared. */
export interface Original {
  inventory: Inventory;
  /**
   * Undefined if the document has neither image objects nor large inline images. Small inline images do not change, so
   * they need no comparison.
   */
  images: Promise<ShownImages> | undefined;
  letters: Promise<string>;
  looks(pages: readonly number[]): Promise<Map<number, PageLook>>;
}

/** The numbers of the pages to compare, from 1. */
export interface ComparedPages {
  all: readonly number[];
  /** Pages with images that may have changed slightly. All other pages must look the same. */
  lossy: ReadonlySet<number>;
}

/** Starts reading the properties of a file. */
export function beginOriginal(
  path: string,
  inventory: Inventory,
  hasImages: boolean,
  context: OperationContext,
): Original {
  const letters = lettersOf(path, context);
  const images = hasImages ? shownImages(path, context) : undefined;
  // These promises may never be awaited, so their rejections must not count as unhandled.
  letters.catch(() => undefined);
  images?.catch(() => undefined);
  const rendered = new Map<string, Promise<Map<number, PageLook>>>();
  const looks = (pages: readonly number[]) => {
    const key = pages.join();
    const known = rendered.get(key) ?? pageLooks(path, pages, context);
    rendered.set(key, known);
    return known;
  };
  return { inventory, images, letters, looks };
}

/**
 * Returns one kind of content that the other version has lost, or undefined if it has lost nothing. Renders
 * `pages.all`. Throws ProgramFailure if the original cannot be read, ToolError, or the signal's abort reason.
 */
export async function lossOf(
  path: string,
  original: Original,
  pages: ComparedPages,
  context: OperationContext,
): Promise<string | undefined> {
  const version = await readVersion(path, original, pages, context);
  if (typeof version === 'string') return version;
  const { images, letters, looks } = version;
  const before = await original.images;
  if (before && images && !showsAsMany(before, images)) return 'images';
  if (letters !== (await original.letters)) return 'text';
  const originalLooks = await original.looks(pages.all);
  return lookAlike(pages, originalLooks, looks) ? undefined : 'the appearance of pages';
}

/** Returns what to compare of the other version, or a kind of content that it has lost. */
async function readVersion(
  path: string,
  original: Original,
  pages: ComparedPages,
  context: OperationContext,
) {
  try {
    const document = new PdfDocument(await readFile(path));
    const lost = lossBetween(original.inventory, takeInventory(document));
    if (lost) return lost;
    // Both versions are rendered at the same time. The caller handles an error of the original.
    original.looks(pages.all).catch(() => undefined);
    const [images, letters, looks] = await Promise.all([
      original.images && shownImages(path, context),
      lettersOf(path, context),
      pageLooks(path, pages.all, context),
    ]);
    return { images, letters, looks };
  } catch (error) {
    if (error instanceof PdfDamage || error instanceof ProgramFailure) return 'its validity';
    throw error;
  }
}

/** Returns all text of a file in content order. White space is removed, because pdftotext infers it. */
async function lettersOf(path: string, context: OperationContext): Promise<string> {
  const directory = await mkdtemp(join(context.directory, 'letters-'));
  const out = join(directory, 'text');
  await poppler('pdftotext', ['-raw', '-enc', 'UTF-8', path, out], context);
  const text = await readFile(out, 'utf8');
  await rm(directory, { recursive: true });
  return text.replace(/\s+/g, '');
}
