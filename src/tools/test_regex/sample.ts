/** The sample call to test_regex that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { pattern: '\\d{2}\\.' },
  shows: '1 match',
  at: '#count',
};
