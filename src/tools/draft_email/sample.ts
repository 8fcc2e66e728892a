/** The sample call of draft_email, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { email: 'Dear all,\n\nHello.' }, shows: 'Dear all' };
