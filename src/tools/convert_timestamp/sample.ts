/** The sample call to convert_timestamp that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { value: '1735689600' },
  shows: '2025-01-01T00:00:00.000Z',
};
