/** How the page of split_image shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  rows: { help: 'Leave both empty to find the panels of a comic or the parts of a sheet.' },
  cols: { label: 'Columns', help: '1 to 20 equal parts.' },
} satisfies FormFields;
