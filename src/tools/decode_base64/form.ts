/** How the page of decode_base64 shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  encoded: { label: 'Base64', help: '', rows: 5 },
} satisfies FormFields;
