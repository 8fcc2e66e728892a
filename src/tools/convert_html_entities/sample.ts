/** The sample call to convert_html_entities that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { parameters: { text: 'a < b' }, shows: 'a &lt; b' };
