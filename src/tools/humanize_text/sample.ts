/** The sample call of humanize_text, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { humanizedText: 'Words of the model.' },
  shows: 'Words of the model.',
};
