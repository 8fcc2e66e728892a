/** The sample call to generate_qr_code that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { text: 'https://example.com/', size: 400 },
  shows: '400 × 400 pixels',
};
