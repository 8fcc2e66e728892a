/** The sample call of rotate_pdf, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['report.pdf'],
  shows: 'Leave the field empty to rotate all',
  at: '#rotation',
};
