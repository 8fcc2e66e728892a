/** The sample call to generate_fake_data that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { type: 'user', count: 5 }, shows: /@example\./ };
