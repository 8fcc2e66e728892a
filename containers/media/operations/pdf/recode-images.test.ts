/** Tests that damaged images remain unchanged, and that recoding stops at its time limit. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, it, vi } from 'vitest';
import { PdfDocument } from '../../pdf/document.ts';
import { WorkLimit } from '../../work-limit.ts';
import { recodeImages } from './recode-images.ts';
import { shownImages } from './shown-images.ts';
import { compress, imagesOf, scan } from './test-compress.ts';
import { emptyFolder, folder, put } from './test-files.ts';
import { imageFile } from './test-image-files.ts';

// The test itself needs the blocked decoders.
vi.mock('../image/sharp-loaders.ts', () => ({ allowLoaders: () => undefined }));

const encoder = vi.hoisted(() => ({ error: undefined as Error | undefined }));
vi.mock('./recode-image.ts', async (original) => {
  const real = await original<typeof import('./recode-image.ts')>();
  const recodedImage: typeof real.recodedImage = async (...given) => {
    if (encoder.error) throw encoder.error;
    return real.recodedImage(...given);
  };
  return { ...real, recodedImage };
});

afterAll(emptyFolder);

it('an image that cannot be decoded remains unchanged, and the others are recoded', async () => {
  const { image, across } = await scan(1);
  const truncated = { ...image, data: image.data.subarray(0, image.data.length / 2) };
  const bytes = await imageFile([{ image: truncated, across }, await scan(2), await scan(3)]);
  const { path } = await compress(put('truncated.pdf', bytes));
  expect(imagesOf(path)).toEqual([
    '1 image 1000x1200 rgb jpeg',
    '2 image 500x600 rgb jpeg',
    '3 image 500x600 rgb jpeg',
  ]);
});

/** Returns a document with one image that can be reduced, and a list of its images. */
async function opened(name: string) {
  const path = put(name, await imageFile([await scan(4)]));
  const context = { directory: folder, signal: new AbortController().signal };
  const { objects } = await shownImages(path, { ...context, limit: new WorkLimit(1) });
  expect(objects).toHaveLength(1);
  return { document: new PdfDocument(readFileSync(path)), objects };
}

it('images remain unchanged once the time has been used', async () => {
  const { document, objects } = await opened('slow.pdf');
  expect(await recodeImages(document, objects, 'standard', () => true)).toBeUndefined();
  expect(await recodeImages(document, objects, 'standard', () => false)).toBeInstanceOf(
    PdfDocument,
  );
});

it('an image remains unchanged if memory is lacking, but other errors are thrown', async () => {
  const { document, objects } = await opened('memory.pdf');
  const recode = () => recodeImages(document, objects, 'standard', () => false);
  for (const error of [
    new RangeError('Array buffer allocation failed'),
    Object.assign(new Error('insufficient memory'), { code: 'Z_MEM_ERROR' }),
  ]) {
    encoder.error = error;
    expect(await recode()).toBeUndefined();
  }
  encoder.error = new TypeError('a defect');
  await expect(recode()).rejects.toThrow('a defect');
  encoder.error = undefined;
});
