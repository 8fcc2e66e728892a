/** The sample call of test_regex, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { pattern: '\\d{2}\\.' },
  shows: '1 match',
  at: '#count',
};
