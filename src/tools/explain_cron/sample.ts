/** The sample call of explain_cron, for the test of its page. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { expression: '0 12 * * *' },
  shows: /At 12:00[\s\S]*Run 5/,
};
