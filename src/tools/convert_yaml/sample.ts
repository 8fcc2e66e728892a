/** The sample call of convert_yaml, for the test of its page. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { parameters: { text: 'name: Ada' }, shows: '"name": "Ada"' };
