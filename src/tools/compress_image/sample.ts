/** The sample call to compress_image that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { width: 300 },
  files: ['photo.jpg'],
  result: 'image/webp',
  shows: '300 × 400 pixels',
};
