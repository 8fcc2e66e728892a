/** The sample call of generate_sql, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { result: { sql: 'SELECT 1;' }, shows: 'SELECT 1;' };
