/** The sample call to explain_cron that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  parameters: { expression: '0 12 * * *' },
  shows: /At 12:00[\s\S]*Run 5/,
};
