/** The sample call to images_to_pdf that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['letter.png', 'cover.pdf'],
  result: 'application/pdf',
  shows: /Save .+\.pdf/,
};
