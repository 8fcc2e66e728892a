/** The sample call of compare_text, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { identical: false, linesCompared: 4, changeCount: 2 },
  shows: 'cherries',
};
