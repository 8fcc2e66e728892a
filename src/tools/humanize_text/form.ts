/** How the page of humanize_text shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  text: { help: 'Up to 10,000 characters.', rows: 6 },
  level: {
    label: 'How much to change',
    help: '',
    choices: { light: 'A little', medium: 'Medium', strong: 'A lot' },
  },
} satisfies FormFields;
