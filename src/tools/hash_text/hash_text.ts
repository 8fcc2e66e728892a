/** hash_text: computes digests of text in the browser, so that the text never leaves it. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const hashText = defineBrowserTool({
  name: 'hash_text',
  title: 'Hash text',
  shortName: 'Hash text',
  kind: 'code',
  icon: 'fingerprint-pattern',
  description:
    'Computes the SHA-256, SHA-384, SHA-512, SHA-1 or MD5 digest of text (UTF-8) as hexadecimal. It runs in the browser; the text never leaves your machine.',
  input: z.strictObject({
    text: z.string().describe('The text to hash.'),
    algorithm: z
      .enum(['SHA-256', 'SHA-384', 'SHA-512', 'SHA-1', 'MD5'])
      .default('SHA-256')
      .describe('The hash function. SHA-1 and MD5 are only for old systems: both are broken.'),
  }),
  example: { parameters: { text: 'abc' } },
  synonyms: ['sha', 'sha1', 'sha256', 'sha512', 'md5', 'checksum', 'digest', 'fingerprint'],
  form: {
    text: { help: 'Hashed as UTF-8.', rows: 7 },
    algorithm: {
      help: '',
      choices: {
        'SHA-256': 'SHA-256',
        'SHA-384': 'SHA-384',
        'SHA-512': 'SHA-512',
        'SHA-1': 'SHA-1, not for security',
        MD5: 'MD5, not for security',
      },
    },
  },
});
