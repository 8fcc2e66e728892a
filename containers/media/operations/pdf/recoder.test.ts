/** Tests that a failure of our own program is not mistaken for a damaged image. */
import { afterAll, expect, it } from 'vitest';
import { WorkLimit } from '../../work-limit.ts';
import { recodeImages } from './recoder.ts';
import { emptyFolder, folder } from './test-files.ts';

afterAll(emptyFolder);

it('an uncaught error in the program that recodes images is reported as an error of our code', async () => {
  const task = {
    input: 'missing.pdf',
    output: 'recoded.pdf',
    images: [],
    level: 'standard' as const,
  };
  const signal = AbortSignal.timeout(60_000);
  const limit = new WorkLimit(1);
  await expect(recodeImages(task, { directory: folder, signal, limit })).rejects.toThrow(
    /^recode-images.ts failed: .*ENOENT/s,
  );
});
