/** The sample call to decode_jwt that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { header: { alg: 'HS256' }, payload: { name: 'Ada' }, signatureVerified: false },
  shows: '"name": "Ada"',
};
