/** The sample call to draft_email that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { email: 'Dear all,\n\nHello.' }, shows: 'Dear all' };
