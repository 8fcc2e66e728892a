/** The sample call to convert_yaml that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { parameters: { text: 'name: Ada' }, shows: '"name": "Ada"' };
