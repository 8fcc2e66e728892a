/** The sample call to extract_text_ocr that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  files: ['letter.png'],
  result: { text: /^Dear reader,\s+the invoice is due on Monday/, language: 'eng' },
  shows: 'the invoice is due',
};
