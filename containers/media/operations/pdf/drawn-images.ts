/** Decodes a PDF's images with poppler, which writes them as Netpbm files. */
import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ProgramFailure } from '../../program-failure.ts';
import type { OperationContext } from '../operation.ts';
import { inParallel } from './in-parallel.ts';
import { poppler } from './poppler.ts';
import type { ShownImages } from './shown-images.ts';

/** The maximum number of images on a page. poppler decodes all images of a page, so more images would take too long. */
const MAX_OF_PAGE = 20;

/** Whether the first page that shows the image has few enough images for all of them to be decoded. */
export function isAmongFew({ counts }: ShownImages, { pages }: ShownImages['objects'][number]) {
  const types = ['image', 'stencil', 'mask', 'smask'];
  const onPage = types.map((type) => counts.get(`${pages[0]} ${type}`) ?? 0);
  return onPage.reduce((sum, count) => sum + count, 0) <= MAX_OF_PAGE;
}

/**
 * Returns the paths of the decoded images by object number. Images that poppler cannot decode are omitted. Throws
 * ToolError, or the signal's abort reason.
 */
export async function drawnImages(
  path: string,
  images: ShownImages['objects'],
  context: OperationContext,
): Promise<Map<number, string>> {
  const directory = await mkdtemp(join(context.directory, 'drawn-'));
  const files = new Map<number, string>();
  const byPage = Map.groupBy(images, ({ pages: [page] }) => page);
  await inParallel([...byPage], async ([page, onPage]) => {
    const span = ['-f', `${page}`, '-l', `${page}`];
    const root = `of-${page}`;
    await poppler('pdfimages', [...span, path, join(directory, root)], context).catch((error) => {
      if (!(error instanceof ProgramFailure)) throw error;
    });
    const found = (await readdir(directory)).filter((name) => name.startsWith(`${root}-`)).sort();
    for (const { number, index } of onPage) {
      const name = found[index];
      if (name) files.set(number, join(directory, name));
    }
  });
  return files;
}
