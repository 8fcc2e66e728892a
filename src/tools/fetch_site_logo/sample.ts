/** The sample call of fetch_site_logo, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { url: 'http://page.test/' },
  result: { title: 'A test page', logo: { source: 'favicon', format: 'svg' } },
  shows: 'favicon',
};
