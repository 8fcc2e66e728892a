/** How the page of parse_document shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  format: {
    label: 'Save as',
    help: '',
    choices: { text: 'Plain text', markdown: 'Markdown, with headings and tables' },
  },
  ocr: {
    label: 'Scanned pages',
    help: 'In English, at most 50 pages.',
    initial: 'auto',
    choices: { auto: 'Recognise their text', off: 'Leave them out' },
  },
  pages: { help: 'For example 1-5, 9. Empty: all pages.', isAdvanced: true },
  layout: { label: 'With the position of each block', help: '', isAdvanced: true },
} satisfies FormFields;
