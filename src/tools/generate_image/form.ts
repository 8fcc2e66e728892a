/** How the page of generate_image shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  prompt: { label: 'What should the image show?', help: '', rows: 4 },
  negativePrompt: {
    label: 'What should it not show?',
    help: 'Not every model takes this into account.',
    rows: 2,
    isAdvanced: true,
  },
} satisfies FormFields;
