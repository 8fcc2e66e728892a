/** generate_password: generates passwords in the browser, so that they are never sent anywhere. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const generatePassword = defineBrowserTool({
  name: 'generate_password',
  title: 'Generate passwords',
  shortName: 'Generate password',
  kind: 'data',
  icon: 'lock-keyhole',
  description:
    'Generates passwords from cryptographic randomness; every character is equally likely. It runs in the browser; no password ever leaves your machine.',
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
  output: z.object({ bits: z.int(), passwords: z.array(z.string()) }),
  resultView: () => import('./result-view.tsx'),
  example: { parameters: { length: 20, count: 5 } },
  synonyms: ['pass', 'secret', 'random', 'pin', 'strong'],
  form: {
    length: { help: '' },
    count: { label: 'How many', help: '' },
    lowercase: { label: 'Lower case, a to z', help: '' },
    uppercase: { label: 'Upper case, A to Z', help: '' },
    digits: { label: 'Digits, 0 to 9', help: '' },
    symbols: { label: 'Symbols, such as ! # %', help: '' },
    avoidLookalikes: { label: 'Without look-alikes (0 O, 1 l I)', help: '' },
  },
  isRandom: true,
});
