/** The sample call to parse_document that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['report.pdf'],
  result: {
    text: /^Chapter 1\n.*\n--- Page 2 ---\nChapter 2\n/,
    metadata: { format: 'pdf', pages: 12, words: 84 },
  },
  shows: 'Save as report.txt',
};
