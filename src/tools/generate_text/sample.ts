/** The sample call of generate_text, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { type: 'filler about gardens' },
  result: { text: 'Words of the model.', provider: 'openai' },
  shows: 'Words of the model.',
};
