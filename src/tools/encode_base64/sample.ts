/** The sample call of encode_base64, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { encoded: 'SGVsbG8sIHdvcmxkIQ==' },
  shows: 'SGVsbG8sIHdvcmxkIQ==',
};
