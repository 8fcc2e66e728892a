/** Reads the boxes and rotations of pages with poppler. */
import type { BlankPage } from '../../pdf/blank-document.ts';
import type { OperationContext } from '../operation.ts';
import { poppler } from './poppler.ts';

const ROTATION = /^Page +(\d+) rot: +(\d+)/gm;
const BOX = /^Page +(\d+) (?:MediaBox|CropBox|TrimBox): +(\S.*)$/gm;

/**
 * Returns the boxes and rotations of all pages. Returns undefined if poppler finds fewer than `count` pages. Also
 * returns undefined if the crop or trim box of a page differs from its media box, because qpdf 11 moves the content of
 * such a page when placing another page below it. Throws the errors of `poppler`.
 */
export async function pageShapes(
  path: string,
  count: number,
  context: OperationContext,
): Promise<BlankPage[] | undefined> {
  const span = ['-box', '-f', '1', '-l', String(count), path];
  const { stdout } = await poppler('pdfinfo', span, context);
  const text = stdout.toString('latin1');
  const rotations = new Map(
    [...text.matchAll(ROTATION)].map(([, page, degrees]) => [page, degrees]),
  );
  const boxes = new Map<string, Set<string>>();
  for (const [, page, corners] of text.matchAll(BOX)) {
    boxes.set(page!, (boxes.get(page!) ?? new Set()).add(corners!));
  }
  const shapes = [...boxes].flatMap(([page, [box, other]]) =>
    box === undefined || other !== undefined
      ? []
      : [{ MediaBox: box.split(/ +/).map(Number), Rotate: Number(rotations.get(page) ?? 0) }],
  );
  return shapes.length === count ? shapes : undefined;
}
