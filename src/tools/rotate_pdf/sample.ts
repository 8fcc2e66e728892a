/** The sample call to rotate_pdf that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['report.pdf'],
  shows: 'Leave the field empty to rotate all',
  at: '#rotation',
};
