/** The sample call to rotate_pdf that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['report.pdf'],
  shows: 'Leave the field empty to rotate all',
  at: '#rotation',
};
