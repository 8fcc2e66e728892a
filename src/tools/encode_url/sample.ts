/** The sample call of encode_url, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { encoded: 'caf%C3%A9%20%26%20cr%C3%A8me%3F' },
  shows: 'caf%C3%A9%20%26%20cr%C3%A8me%3F',
};
