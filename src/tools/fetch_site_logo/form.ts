/** How the page of fetch_site_logo shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  url: { label: 'Address of the site', help: '', control: 'address' },
  rehost: {
    label: 'Copy the best icons here',
    help: 'They then have links that work for a day.',
  },
} satisfies FormFields;
