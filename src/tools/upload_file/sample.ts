/** The sample call to upload_file that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['photo.jpg'],
  result: { filename: 'photo.jpg', storage: 'r2' },
  shows: '/photo.jpg',
};
