/** The sample call to screenshot_url that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { url: 'http://page.test/', width: 500, height: 400 },
  result: { width: 500, height: 400, format: 'webp', source: 'vps' },
  shows: '500 × 400 pixels',
};
