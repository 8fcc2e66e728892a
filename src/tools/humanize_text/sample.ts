/** The sample call to humanize_text that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { humanizedText: 'Words of the model.' },
  shows: 'Words of the model.',
};
