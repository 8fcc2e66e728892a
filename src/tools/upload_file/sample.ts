/** The sample call of upload_file, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['photo.jpg'],
  result: { filename: 'photo.jpg', storage: 'r2' },
  shows: '/photo.jpg',
};
