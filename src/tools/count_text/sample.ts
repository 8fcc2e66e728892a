/** The sample call to count_text that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { parameters: { text: 'one two three' }, shows: /Words\s+3/ };
