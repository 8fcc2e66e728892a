/** How the page of compare_text shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  text1: { label: 'Before', help: '', rows: 10 },
  text2: { label: 'After', help: '', rows: 10 },
} satisfies FormFields;
