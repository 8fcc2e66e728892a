/** How the page of generate_fake_data shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  type: {
    label: 'What do you need?',
    help: '',
    choices: {
      user: 'People with all details',
      name: 'Names',
      email: 'E-mail addresses',
      address: 'Postal addresses',
      phone: 'Phone numbers',
    },
  },
  count: { label: 'How many', help: 'Up to 100.', initial: 10 },
} satisfies FormFields;
