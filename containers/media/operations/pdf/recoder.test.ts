/** Tests that a damaged image remains unchanged, and that an error in our code is not mistaken for a damaged image. */
import { afterAll, expect, it, vi } from 'vitest';
import { ProgramFailure } from '../../program-failure.ts';
import { WorkLimit } from '../../work-limit.ts';
import { recodeImages } from './recoder.ts';
import { compress, imagesOf, scan } from './test-compress.ts';
import { emptyFolder, folder, put } from './test-files.ts';
import { imageFile } from './test-image-files.ts';

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

it('an uncaught error in the program that recodes images is logged', async () => {
  const task = {
    input: 'missing.pdf',
    output: 'recoded.pdf',
    images: [],
    level: 'standard' as const,
  };
  const signal = AbortSignal.timeout(60_000);
  const limit = new WorkLimit(1);
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const recoding = recodeImages(task, { directory: folder, signal, limit });
  await expect(recoding).rejects.toThrow(ProgramFailure);
  const lines = written.mock.calls.map(([line]) => String(line));
  written.mockRestore();
  expect(lines).toContainEqual(expect.stringMatching(/"event":"images-not-recoded"/));
});
