/** The sample call to generate_sql that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { sql: 'SELECT 1;' }, shows: 'SELECT 1;' };
