/** The sample call of generate_password, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { length: 32 },
  shows: /\s\S{32}\s/,
};
