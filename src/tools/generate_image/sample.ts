/** The sample call to generate_image that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: 'image/png', shows: /Save .+\.png/ };
