/** The sample call of split_image, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { rows: 1, cols: 2 },
  files: ['photo.jpg'],
  result: 'application/zip',
  shows: 'panel-02',
};
