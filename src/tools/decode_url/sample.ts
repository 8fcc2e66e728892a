/** The sample call of decode_url, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { decoded: 'café & crème' }, shows: 'café & crème' };
