/** The sample call of compress_pdf, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['report.pdf'],
  result: 'application/pdf',
  shows: 'Save report-compressed.pdf',
};
