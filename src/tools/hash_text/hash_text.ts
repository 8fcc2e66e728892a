/**
 * hash_text: listed, but not callable; its page hashes in the browser with Web Crypto, so that the text stays there.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';

export const hashText = defineTool({
  name: 'hash_text',
  title: 'Hash text',
  shortName: 'Hash text',
  kind: 'browser',
  icon: 'fingerprint-pattern',
  domain: null,
  description:
    'Computes the SHA-256, SHA-384, SHA-512 or SHA-1 digest of text (UTF-8) as hexadecimal. It runs in the browser, on its page; the text never leaves your machine.',
  input: z.strictObject({
    text: z.string().describe('The text to hash.'),
    algorithm: z
      .enum(['SHA-256', 'SHA-384', 'SHA-512', 'SHA-1'])
      .default('SHA-256')
      .describe('The hash function. SHA-1 is only for old systems: it is broken for signatures.'),
  }),
  access: 'anyone',
  limits: [],
  surfaces: [],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
});
