/** How the page of encode_base64 shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  text: { help: '', rows: 6 },
} satisfies FormFields;
