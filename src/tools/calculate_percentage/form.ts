/** How the page of calculate_percentage shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  operation: {
    label: 'Calculate',
    help: '',
    choices: {
      of: 'A percentage of a number',
      increase: 'A number plus a percentage',
      decrease: 'A number minus a percentage',
      change: 'The change between two numbers',
    },
  },
  value1: { label: 'First number', help: '' },
  value2: { label: 'Second number', help: '' },
} satisfies FormFields;
