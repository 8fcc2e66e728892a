/** The sample call to fetch_site_logo that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { url: 'http://page.test/' },
  result: { title: 'A test page', logo: { source: 'favicon', format: 'svg' } },
  shows: 'favicon',
};
