/** The sample call to generate_blog_outline that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { outline: /^# Title\n/ }, shows: 'Title' };
