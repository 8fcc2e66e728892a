/** The sample call of generate_blog_outline, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { outline: /^# Title\n/ }, shows: 'Title' };
