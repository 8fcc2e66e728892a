/** The sample call to convert_case that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { parameters: { text: 'total price' }, shows: 'TOTAL_PRICE' };
