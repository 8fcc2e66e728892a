/** Implements compress_image, which re-encodes one image in another format, size or quality. */
import { join } from 'node:path';
import { onlyFile } from '../only-file.ts';
import { type CompressOptions, compressImage } from './compress-image.ts';
import { OUTPUT_FORMATS } from './encode-image.ts';
import type { ImageWork } from './process/image-tasks.ts';

export const work: ImageWork = async (params, files, directory) => {
  const file = onlyFile(files, 'compress_image');
  const options = readOptions(params);
  const path = join(directory, 'compressed');
  const { size, ...meta } = await compressImage({ file, output: path, options });
  const { format } = options;
  return { contentType: `image/${format}`, path, size, meta: { ...meta, format } };
};

/** Converts the parameters to options. The edge has already validated them, so an invalid parameter is a bug. */
function readOptions(params: Record<string, unknown>): CompressOptions {
  const { quality, format, width, height, keepAspectRatio, grayscale, palette, metadata } = params;
  const known = OUTPUT_FORMATS.find((name) => name === format);
  if (!known || typeof quality !== 'number') throw new Error('unchecked parameters');
  return {
    quality,
    format: known,
    width: typeof width === 'number' ? width : undefined,
    height: typeof height === 'number' ? height : undefined,
    keepAspectRatio: keepAspectRatio === true,
    grayscale: grayscale === true,
    palette: palette === true,
    keepsMetadata: metadata === 'keep',
  };
}
