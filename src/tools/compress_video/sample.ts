/** The sample call of compress_video, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { preset: 'ultrafast', scale: '-1:240' },
  files: ['clip.mp4'],
  result: { url: /\/files\/.+\/clip\.mp4$/ },
  shows: 'Save clip-compressed.mp4',
};
