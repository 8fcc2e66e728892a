/** How the page of decode_url shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  encoded: { label: 'Encoded text', help: '', rows: 5 },
} satisfies FormFields;
