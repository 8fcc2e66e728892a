/** The sample call to compress_video that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { preset: 'ultrafast', scale: '-1:240' },
  files: ['clip.mp4'],
  result: { url: /\/files\/.+\/clip\.mp4$/ },
  shows: 'Save clip-compressed.mp4',
};
