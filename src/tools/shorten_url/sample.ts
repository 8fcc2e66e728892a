/** The sample call of shorten_url, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { shortUrl: /^http:\/\/localhost:\d+\/\w+$/ },
  shows: /http:\/\/localhost:\d+\/\w+/,
};
