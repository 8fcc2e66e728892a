/** to_png: one picture as PNG, its first frame, upright, without metadata. */
import sharp from 'sharp';
import { badRequest } from '../../../src/core/errors.ts';
import type { Operation } from './operation.ts';

const MAX_PIXELS = 100_000_000;

export const toPng: Operation = {
  kind: 'image',
  async run(_params, files) {
    const [file] = files;
    if (!file) throw badRequest('to_png takes one picture.', 'file');
    let bytes: Buffer;
    try {
      bytes = await sharp(file.path, { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error' })
        .autoOrient()
        .png()
        .toBuffer();
    } catch (error) {
      throw badRequest(`The picture ${file.name} cannot be read: ${reason(error)}.`, 'file');
    }
    return { contentType: 'image/png', size: bytes.length, open: () => [bytes], meta: {} };
  },
};

/** Without paths, which sharp puts into some messages. */
const reason = (error: unknown) =>
  error instanceof Error && error.message.includes('pixel limit')
    ? `it has more than ${MAX_PIXELS.toLocaleString('en-US')} pixels`
    : 'it is damaged, or of a kind that is not read';
