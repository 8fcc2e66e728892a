/** The sample call to decode_qr_code that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { files: ['code.png'], shows: 'https://example.com/', at: '#output' };
