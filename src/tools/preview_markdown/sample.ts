/** The sample call to preview_markdown that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { markdown: '# Hello' },
  shows: /^Hello$/,
  at: '#preview',
};
