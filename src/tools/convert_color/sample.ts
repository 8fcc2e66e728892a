/** The sample call to convert_color that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { parameters: { color: 'teal' }, shows: '#008080' };
