/** The sample call of generate_image, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: 'image/png', shows: /Save .+\.png/ };
