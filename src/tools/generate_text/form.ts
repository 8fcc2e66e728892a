/** How the page of generate_text shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  type: {
    label: 'Kind of text',
    help: 'lorem, random, sentence, or a description such as "product review".',
  },
  length: { label: 'Characters', help: 'Roughly, in each block.' },
  count: { label: 'Blocks', help: '' },
} satisfies FormFields;
