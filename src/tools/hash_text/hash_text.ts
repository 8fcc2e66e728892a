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
    'Computes the SHA-256, SHA-384, SHA-512, SHA-1 and MD5 digests of text (UTF-8) as hexadecimal, and compares them with an expected digest. It runs in the browser; the text never leaves your machine.',
  input: z.strictObject({
    text: z.string().describe('The text to hash.'),
    compareWith: z
      .string()
      .optional()
      .describe('The expected digest in hexadecimal, of any of these algorithms.'),
  }),
  resultView: () => import('./result-view.tsx'),
  example: { parameters: { text: 'abc' } },
  synonyms: [
    'sha',
    'sha1',
    'sha256',
    'sha512',
    'md5',
    'checksum',
    'digest',
    'fingerprint',
    'verify download',
  ],
  form: {
    text: { help: 'Hashed as UTF-8.', rows: 7 },
    compareWith: {
      label: 'Compare with',
      help: 'Paste the expected digest to see whether it matches.',
    },
  },
});
