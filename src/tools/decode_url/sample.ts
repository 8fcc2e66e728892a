/** The sample call to decode_url that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { decoded: 'café & crème' }, shows: 'café & crème' };
