/** The sample call to compare_text that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { identical: false, linesCompared: 4, changeCount: 2 },
  shows: 'cherries',
};
