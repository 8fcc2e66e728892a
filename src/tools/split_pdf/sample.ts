/** The sample call of split_pdf, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { ranges: ['1'] },
  files: ['report.pdf'],
  result: 'application/pdf',
  shows: /Save .+\.pdf/,
};
