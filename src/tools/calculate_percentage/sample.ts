/** The sample call to calculate_percentage that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { operation: 'increase', result: 92 }, shows: '92' };
