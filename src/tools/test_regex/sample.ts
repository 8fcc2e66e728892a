/** The sample call to test_regex that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { pattern: '\\d{2}\\.' },
  shows: '1 match',
  at: '#count',
};
