/** The sample call of convert_case, for the test of its page. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { parameters: { text: 'total price' }, shows: 'TOTAL_PRICE' };
