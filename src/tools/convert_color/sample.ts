/** The sample call of convert_color, for the test of its page. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { parameters: { color: 'teal' }, shows: '#008080' };
