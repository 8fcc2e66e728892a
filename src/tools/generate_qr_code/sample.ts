/** The sample call of generate_qr_code, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { text: 'https://example.com/', size: 400 },
  shows: '400 × 400 pixels',
};
