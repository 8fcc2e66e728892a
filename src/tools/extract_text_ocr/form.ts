/** How the page of extract_text_ocr shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';
import { OCR_LANGUAGES } from './ocr-languages.ts';

export const form = {
  language: { label: 'Language of the text', help: '', choices: OCR_LANGUAGES },
  languages: {
    label: 'Several languages',
    help: 'One code per line, the main one first: eng, deu, fra, spa, ara, jpn, kor, chi_sim.',
    isAdvanced: true,
  },
  output: {
    label: 'Result',
    help: '',
    choices: {
      text: 'The text',
      pdf: 'A searchable PDF of the same pages',
      words: 'The text, and the position of each word',
    },
  },
} satisfies FormFields;
