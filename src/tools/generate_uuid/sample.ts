/** The sample call to generate_uuid that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { kind: 'uuid-v7', count: 2 },
  shows: /[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-/,
};
