/** The sample call to generate_password that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { length: 32 },
  shows: /\s\S{32}\s/,
};
