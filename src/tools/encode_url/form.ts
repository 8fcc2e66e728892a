/** How the page of encode_url shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  url: { label: 'Text', help: '', rows: 2, control: 'line' },
} satisfies FormFields;
