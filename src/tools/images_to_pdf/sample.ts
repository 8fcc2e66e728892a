/** The sample call of images_to_pdf, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['letter.png', 'cover.pdf'],
  result: 'application/pdf',
  shows: /Save .+\.pdf/,
};
