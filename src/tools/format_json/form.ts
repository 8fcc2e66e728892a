/** How the page of format_json shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  json: { help: '', rows: 10 },
  indent: { label: 'Spaces per level', help: '' },
} satisfies FormFields;
