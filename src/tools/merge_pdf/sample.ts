/** The sample call of merge_pdf, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['cover.pdf', 'report.pdf'],
  result: 'application/pdf',
  shows: /Save .+\.pdf/,
};
