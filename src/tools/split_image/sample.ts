/** The sample call to split_image that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { rows: 1, cols: 2 },
  files: ['photo.jpg'],
  result: 'application/zip',
  shows: 'panel-02',
};
