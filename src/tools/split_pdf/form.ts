/** How the page of split_pdf shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  ranges: {
    label: 'Pages',
    help: 'For example 2-4, 7. Each line becomes a PDF.',
    control: 'pages',
    rows: 2,
  },
  attachments: {
    label: 'Keep attachments',
    help: 'Each file gets all attachments of the document.',
    isAdvanced: true,
  },
} satisfies FormFields;
