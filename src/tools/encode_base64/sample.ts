/** The sample call to encode_base64 that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { encoded: 'SGVsbG8sIHdvcmxkIQ==' },
  shows: 'SGVsbG8sIHdvcmxkIQ==',
};
