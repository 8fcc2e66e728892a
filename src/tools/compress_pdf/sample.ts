/** The sample call to compress_pdf that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['report.pdf'],
  result: 'application/pdf',
  shows: 'Save report-compressed.pdf',
};
