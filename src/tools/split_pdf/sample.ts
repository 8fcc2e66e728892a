/** The sample call to split_pdf that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { ranges: ['1'] },
  files: ['report.pdf'],
  result: 'application/pdf',
  shows: /Save .+\.pdf/,
};
