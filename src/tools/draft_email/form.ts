/** How the page of draft_email shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  prompt: { label: 'What should the e-mail say?', help: '', rows: 4 },
  tone: { help: '', choices: { formal: 'Formal', casual: 'Casual', friendly: 'Friendly' } },
} satisfies FormFields;
