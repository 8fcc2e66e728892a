/** The sample call to generate_text that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { type: 'filler about gardens' },
  result: { text: 'Words of the model.', provider: 'openai' },
  shows: 'Words of the model.',
};
