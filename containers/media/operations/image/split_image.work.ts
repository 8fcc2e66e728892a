/**
 * Implements split_image, which returns the tiles of a grid, or the panels of a page, as a ZIP of images in reading
 * order.
 */
import { onlyFile } from '../only-file.ts';
import type { Box } from './panels/box.ts';
import type { ImageWork } from './process/image-tasks.ts';
import { type Cut, type Size, splitImage } from './split-image.ts';

/**
 * Splits the image. `params` contains `rows` and `cols`, or `boxes` in pixels of an image of size `of`, or neither. If
 * it contains neither, panels are detected by the gutters between them. If fewer than two panels are found,
 * `meta.panels` is 0 and the ZIP is empty.
 */
export const work: ImageWork = async (params, files, directory) => {
  const file = onlyFile(files, 'split_image');
  const { parts, warnings } = await splitImage({ file, directory, cut: readCut(params) });
  return { entries: parts, meta: { panels: parts.length, warnings } };
};

function readCut({ rows, cols, boxes, of }: Record<string, unknown>): Cut {
  if (Array.isArray(boxes)) return { boxes: boxes as Box[], of: of as Size };
  if (typeof rows === 'number' && typeof cols === 'number') return { rows, cols };
  return 'gutters';
}
