/** The sample call of decode_qr_code, for the tests of every surface. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { files: ['code.png'], shows: 'https://example.com/', at: '#output' };
