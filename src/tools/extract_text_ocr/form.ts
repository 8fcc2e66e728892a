/** How the page of extract_text_ocr shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';
import { OCR_LANGUAGES } from './ocr-languages.ts';

export const form = {
  language: { label: 'Language of the text', help: '', choices: OCR_LANGUAGES },
} satisfies FormFields;
