/** The sample call of count_text, for the test of its page. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { parameters: { text: 'one two three' }, shows: /Words\s+3/ };
