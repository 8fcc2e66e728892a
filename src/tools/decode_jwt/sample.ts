/** The sample call of decode_jwt, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { header: { alg: 'HS256' }, payload: { name: 'Ada' }, signatureVerified: false },
  shows: '"name": "Ada"',
};
