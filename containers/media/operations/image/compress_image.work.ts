/** compress_image: one picture in another format, size or quality. */
import { join } from 'node:path';
import { onlyFile } from '../only-file.ts';
import { type CompressOptions, compressPicture } from './compress-picture.ts';
import { OUTPUT_FORMATS } from './encode-picture.ts';
import type { PictureWork } from './process/picture-tasks.ts';

export const work: PictureWork = async (params, files, directory) => {
  const file = onlyFile(files, 'compress_image');
  const options = readOptions(params);
  const path = join(directory, 'compressed');
  const { size, ...meta } = await compressPicture({ file, output: path, options });
  const { format } = options;
  return { contentType: `image/${format}`, path, size, meta: { ...meta, format } };
};

/** The parameters as the edge has checked them; anything else is a defect of ours. */
function readOptions(params: Record<string, unknown>): CompressOptions {
  const { quality, format, width, height, keepAspectRatio, grayscale } = params;
  const known = OUTPUT_FORMATS.find((name) => name === format);
  if (!known || typeof quality !== 'number') throw new Error('unchecked parameters');
  return {
    quality,
    format: known,
    width: typeof width === 'number' ? width : undefined,
    height: typeof height === 'number' ? height : undefined,
    keepAspectRatio: keepAspectRatio === true,
    grayscale: grayscale === true,
  };
}
