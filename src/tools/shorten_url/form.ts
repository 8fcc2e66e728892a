/** How the page of shorten_url shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  url: { label: 'Long link', help: '', control: 'address' },
  customCode: {
    label: 'Ending of the short link',
    help: '3 to 32 letters, digits, hyphens or underscores. Empty: random.',
  },
} satisfies FormFields;
