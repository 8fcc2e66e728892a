/** How the page of fetch_page_metadata shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  url: { label: 'Address of the page', help: '', control: 'address' },
  content: {
    label: 'Main content',
    help: '',
    choices: { none: 'Leave it out', markdown: 'As Markdown' },
  },
} satisfies FormFields;
