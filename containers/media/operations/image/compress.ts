/** compress_image: re-encodes one image in another format, size or quality. */
import { join } from 'node:path';
import { onlyFile } from '../only-file.ts';
import type { Operation } from '../operation.ts';
import { fileResult } from '../stored-result.ts';
import type { CompressOptions } from './compress-image.ts';
import { OUTPUT_FORMATS } from './encode-image.ts';
import { images } from './process/image-pool.ts';

export const compressImage: Operation = {
  kind: 'image',
  prepare: () => images.warm(),
  async run(params, files, { directory, signal, limit }) {
    const file = onlyFile(files, 'compress_image');
    const options = readOptions(params);
    const output = join(directory, 'compressed');
    const task = { file, output, options };
    const { size, ...meta } = await images.run('compress', task, signal, limit);
    return fileResult({
      contentType: `image/${options.format}`,
      path: output,
      size,
      meta: { ...meta, format: options.format },
    });
  },
};

/** The parameters were checked at the edge; invalid ones are a defect. */
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
