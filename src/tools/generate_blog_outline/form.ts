/** How the page of generate_blog_outline shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  topic: { label: 'Keywords', help: 'Separated by commas. The first one matters most.' },
  sections: { label: 'Sections', help: 'Between introduction and conclusion.' },
} satisfies FormFields;
