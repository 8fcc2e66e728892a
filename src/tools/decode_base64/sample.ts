/** The sample call to decode_base64 that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { decoded: 'Hello, world!' }, shows: 'Hello, world!' };
