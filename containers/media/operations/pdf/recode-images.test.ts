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

it('images remain unchanged once the time has been used', async () => {
  const path = put('slow.pdf', await imageFile([await scan(4)]));
  const document = new PdfDocument(readFileSync(path));
  const context = { directory: folder, signal: new AbortController().signal };
  const { objects } = await shownImages(path, { ...context, limit: new WorkLimit(1) });
  expect(objects).toHaveLength(1);
  expect(await recodeImages(document, objects, 'standard', () => true)).toBeUndefined();
  expect(await recodeImages(document, objects, 'standard', () => false)).toBeInstanceOf(
    PdfDocument,
  );
});
