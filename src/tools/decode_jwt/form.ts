/** How the page of decode_jwt shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  token: { help: 'Three parts, separated by dots.', rows: 5, control: 'line' },
} satisfies FormFields;
