/** The sample call of decode_base64, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { decoded: 'Hello, world!' }, shows: 'Hello, world!' };
