/** split_image: the tiles of a grid, or the panels of a page, as a ZIP of pictures in reading order. */
import { onlyFile } from '../only-file.ts';
import type { Box } from './panels/box.ts';
import type { PictureWork } from './process/picture-tasks.ts';
import { type Cut, type Size, splitPicture } from './split-picture.ts';

/**
 * Params: `rows` and `cols`; or `boxes`, in pixels of a picture of the size `of`; or none of them: then panels are found by
 * their gutters, and `meta.panels` is 0, with an empty ZIP, where there are fewer than two.
 */
export const work: PictureWork = async (params, files, directory) => {
  const file = onlyFile(files, 'split_image');
  const { parts, warnings } = await splitPicture({ file, directory, cut: readCut(params) });
  return { entries: parts, meta: { panels: parts.length, warnings } };
};

function readCut({ rows, cols, boxes, of }: Record<string, unknown>): Cut {
  if (Array.isArray(boxes)) return { boxes: boxes as Box[], of: of as Size };
  if (typeof rows === 'number' && typeof cols === 'number') return { rows, cols };
  return 'gutters';
}
