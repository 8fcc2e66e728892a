/** The sample call to decode_qr_code that its page's test uses. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = { files: ['code.png'], shows: 'https://example.com/', at: '#output' };
