/** split_image: the tiles of a grid, or the panels of a page, as a ZIP of images in reading order. */
import { onlyFile } from '../only-file.ts';
import type { Operation } from '../operation.ts';
import { zipResult } from '../zip-result.ts';
import type { Box } from './panels/box.ts';
import { images } from './process/image-pool.ts';
import type { Cut, Size } from './split-image.ts';

/**
 * Params: `rows` and `cols`; or `boxes`, in pixels of an image of the size `of`; or neither. Without them, panels are
 * found by their gutters; if there are fewer than two, `meta.panels` is 0 and the ZIP is empty.
 */
export const splitImage: Operation = {
  kind: 'image',
  prepare: () => images.warm(),
  async run(params, files, { directory, signal, limit }) {
    const file = onlyFile(files, 'split_image');
    const task = { file, directory, cut: readCut(params) };
    const { parts, warnings } = await images.run('split', task, signal, limit);
    return zipResult(parts, { panels: parts.length, warnings });
  },
};

function readCut({ rows, cols, boxes, of }: Record<string, unknown>): Cut {
  if (Array.isArray(boxes)) return { boxes: boxes as Box[], of: of as Size };
  if (typeof rows === 'number' && typeof cols === 'number') return { rows, cols };
  return 'gutters';
}
