/** The sample call to shorten_url that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { shortUrl: /^http:\/\/localhost:\d+\/\w+$/ },
  shows: /http:\/\/localhost:\d+\/\w+/,
};
