/** The sample call to preview_markdown that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { markdown: '# Hello' },
  shows: /^Hello$/,
  at: '#preview',
};
