/** generate_password: listed, but not callable; its page runs it in the browser, so that the result stays there. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';

export const generatePassword = defineTool({
  name: 'generate_password',
  title: 'Generate passwords',
  shortName: 'Generate password',
  kind: 'browser',
  icon: 'lock-keyhole',
  domain: null,
  description:
    'Generates passwords from cryptographic randomness; every character is equally likely. It runs in the browser, on its page; no password ever leaves your machine.',
  input: z.strictObject({
    length: z.int().min(4).max(256).default(20).describe('Characters of each password, 4 to 256.'),
    count: z.int().min(1).max(100).default(5).describe('How many, 1 to 100.'),
    lowercase: z.boolean().default(true).describe('a to z.'),
    uppercase: z.boolean().default(true).describe('A to Z.'),
    digits: z.boolean().default(true).describe('0 to 9.'),
    symbols: z.boolean().default(true).describe('Such as ! # % & * + - = ? @ _ ~.'),
    avoidLookalikes: z
      .boolean()
      .default(true)
      .describe('Excludes characters that are easily confused, such as 0 and O.'),
  }),
  access: 'anyone',
  limits: [],
  surfaces: [],
  annotations: { readOnly: true, idempotent: false, openWorld: false, destructive: false },
  needs: [],
});
