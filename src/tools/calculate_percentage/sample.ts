/** The sample call of calculate_percentage, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { operation: 'increase', result: 92 }, shows: '92' };
