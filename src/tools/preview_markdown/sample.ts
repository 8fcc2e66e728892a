/** The sample call of preview_markdown, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { markdown: '# Hello' },
  shows: /^Hello$/,
  at: '#preview',
};
