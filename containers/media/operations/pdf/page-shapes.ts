/** The boxes and rotations of pages, as poppler reads them. */
import type { BlankPage } from '../../pdf/blank-document.ts';
import type { OperationContext } from '../operation.ts';
import { poppler } from './poppler.ts';

const ROTATION = /^Page +(\d+) rot: +(\d+)/gm;
const BOX = /^Page +(\d+) (MediaBox|CropBox|TrimBox): +(.+)$/gm;

/** Undefined if poppler finds fewer pages. Throws ProgramFailure. */
export async function pageShapes(
  path: string,
  count: number,
  context: OperationContext,
): Promise<BlankPage[] | undefined> {
  const span = ['-box', '-f', '1', '-l', String(count), path];
  const { stdout } = await poppler('pdfinfo', span, context);
  const text = stdout.toString('latin1');
  const pages = new Map<string, Partial<BlankPage>>();
  for (const [, page, degrees] of text.matchAll(ROTATION)) {
    pages.set(page!, { Rotate: Number(degrees) });
  }
  for (const [, page, box, corners] of text.matchAll(BOX)) {
    Object.assign(pages.get(page!) ?? {}, { [box!]: corners!.trim().split(/ +/).map(Number) });
  }
  const shapes = [...pages.values()].filter(isWhole);
  return shapes.length === count ? shapes : undefined;
}

const isWhole = (page: Partial<BlankPage>): page is BlankPage =>
  Boolean(page.MediaBox && page.CropBox && page.TrimBox && page.Rotate !== undefined);
