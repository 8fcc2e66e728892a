/** The sample call of extract_text_ocr, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['letter.png'],
  result: { text: /^Dear reader,\s+the invoice is due on Monday/, language: 'eng' },
  shows: 'the invoice is due',
};
