/** The sample call of generate_fake_data, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { type: 'user', count: 5 }, shows: /@example\./ };
