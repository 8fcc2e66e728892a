/** The sample call to fetch_page_metadata that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { url: 'http://page.test/' },
  result: { title: 'A test page', finalUrl: 'http://page.test/', icons: [] },
  shows: 'A test page',
};
