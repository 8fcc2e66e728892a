/** How the page of generate_sql shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  description: {
    label: 'What should the query find?',
    help: 'Name your tables, their columns and the database, such as PostgreSQL.',
    rows: 4,
  },
  dialect: { isHidden: true },
} satisfies FormFields;
