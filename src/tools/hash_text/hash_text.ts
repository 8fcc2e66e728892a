/** hash_text: computes digests of text or of a file in the browser, so that neither leaves it. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';
import { MB } from '../../core/limits.ts';

/** Web Cryptography needs the whole file in memory, and copies it. */
const MAX_BYTES = 500 * MB;

/**
 * The key of an HMAC (RFC 2104). It is a page-only parameter, because the page stores only API parameters for a reload.
 */
export const KEY = z.strictObject({
  key: z.string().optional().describe('The secret key of an HMAC, as UTF-8.'),
});

export const hashText = defineBrowserTool({
  name: 'hash_text',
  title: 'Hash text or a file',
  shortName: 'Hash',
  kind: 'code',
  icon: 'fingerprint-pattern',
  description:
    'Computes the SHA-256, SHA-384, SHA-512, SHA-1 and MD5 digests of text (UTF-8) or of a file as hexadecimal, and compares them with an expected digest. With a secret key, it computes HMACs. It runs in the browser, so nothing leaves your machine.',
  input: z.strictObject({
    text: z.string().default('').describe('The text to hash. A file replaces it.'),
    compareWith: z
      .string()
      .optional()
      .describe('The expected digest of any of these algorithms, in hexadecimal or Base64.'),
  }),
  pageInput: KEY,
  files: { min: 0, max: 1, maxBytes: MAX_BYTES, kinds: ['any'], uploadOnly: true },
  resultView: () => import('./result-view.tsx'),
  example: { parameters: { text: 'abc' } },
  isSecret: true,
  synonyms: [
    'sha',
    'sha1',
    'sha256',
    'sha512',
    'md5',
    'hmac',
    'checksum',
    'digest',
    'fingerprint',
    'verify download',
    'webhook signature',
  ],
  form: {
    text: { help: 'Hashed as UTF-8, unless a file is chosen.', rows: 4 },
    key: {
      label: 'Secret key (HMAC)',
      help: 'With a key, HMACs are computed instead of digests.',
      placeholder: 'e.g. a webhook secret',
    },
    compareWith: {
      label: 'Compare with',
      rows: 2,
      control: 'line',
      help: 'Paste the expected digest or HMAC, in hexadecimal or Base64.',
    },
  },
});
