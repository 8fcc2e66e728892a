/** How the page of images_to_pdf shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  pageSize: {
    help: '',
    choices: { fit: 'As large as each image', a4: 'A4', letter: 'Letter' },
  },
  margin: { help: 'White space around each image, in points: 72 are an inch.' },
} satisfies FormFields;
