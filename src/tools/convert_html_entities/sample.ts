/** The sample call of convert_html_entities, for the test of its page. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { parameters: { text: 'a < b' }, shows: 'a &lt; b' };
