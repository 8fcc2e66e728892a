/** The sample call to merge_pdf that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['cover.pdf', 'report.pdf'],
  result: 'application/pdf',
  shows: /Save .+\.pdf/,
};
