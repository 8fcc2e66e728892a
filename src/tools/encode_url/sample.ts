/** The sample call to encode_url that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { encoded: 'caf%C3%A9%20%26%20cr%C3%A8me%3F' },
  shows: 'caf%C3%A9%20%26%20cr%C3%A8me%3F',
};
