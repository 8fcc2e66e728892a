/** Whether another form of a PDF still holds, says and shows what the file does. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PdfDocument } from '../../pdf/document.ts';
import { type Inventory, lossBetween, takeInventory } from '../../pdf/inventory.ts';
import { PdfDamage } from '../../pdf/objects.ts';
import { ProgramFailure } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';
import { lookAlike, type PageLook, pageLooks } from './page-looks.ts';
import { poppler } from './poppler.ts';
import { inflate } from './qpdf.ts';
import { type ShownImages, shownImages, showsAsMany } from './shown-images.ts';

/** What the file itself is, as far as its other forms are measured against it. */
export interface Original {
  inventory: Inventory;
  images: ShownImages;
  /** Drawn and read while the other forms are made. */
  letters: Promise<string>;
  looks: Promise<Map<number, PageLook>>;
}

/** Begins to draw and to read a file. */
export function beginOriginal(
  path: string,
  pages: readonly number[],
  known: Pick<Original, 'inventory' | 'images'>,
  context: OperationContext,
): Original {
  const letters = lettersOf(path, context);
  const looks = pageLooks(path, pages, context);
  // Nobody may need them in the end.
  letters.catch(() => undefined);
  looks.catch(() => undefined);
  return { ...known, letters, looks };
}

/**
 * What the other form has lost, in a word for the caller; undefined where it has lost nothing. Pages are drawn where
 * they may look otherwise. Throws ToolError or the reason of an abort.
 */
export async function lossOf(
  path: string,
  original: Original,
  pages: readonly number[],
  context: OperationContext,
): Promise<string | undefined> {
  try {
    const document = new PdfDocument(await readFile(path), inflate);
    const lost = lossBetween(original.inventory, takeInventory(document));
    if (lost) return lost;
    const [images, letters, looks] = await Promise.all([
      shownImages(path, context),
      lettersOf(path, context),
      pageLooks(path, pages, context),
    ]);
    if (!showsAsMany(original.images, images)) return 'images';
    if (letters !== (await original.letters)) return 'text';
    return lookAlike(pages, await original.looks, looks) ? undefined : 'the look of pages';
  } catch (error) {
    if (error instanceof PdfDamage || error instanceof ProgramFailure) return 'its soundness';
    throw error;
  }
}

/** All letters of a file in the order of its content; white space is a guess of the reader. */
async function lettersOf(path: string, context: OperationContext): Promise<string> {
  const directory = await mkdtemp(join(context.directory, 'letters-'));
  const out = join(directory, 'text');
  await poppler('pdftotext', ['-raw', '-enc', 'UTF-8', path, out], context);
  const text = await readFile(out, 'utf8');
  await rm(directory, { recursive: true });
  return text.replace(/\s+/g, '');
}
