/** convert_case: converts a name or other text to nine letter cases, in the browser. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const convertCase = defineBrowserTool({
  name: 'convert_case',
  title: 'Convert letter case',
  shortName: 'Convert case',
  kind: 'text',
  icon: 'case-sensitive',
  description:
    'Shows text in upper and lower case, as a title, and as camelCase, PascalCase, snake_case, kebab-case and CONSTANT_CASE. It runs in the browser; no data is sent.',
  input: z.strictObject({
    text: z.string().describe('The text. Each line is converted separately.'),
  }),
  example: { parameters: { text: 'total price of the order' } },
  synonyms: [
    'uppercase',
    'lowercase',
    'capitals',
    'caps',
    'capitalise',
    'camel snake kebab pascal',
    'kebab',
    'slug',
    'slugify',
    'url slug',
  ],
  form: { text: { help: '', rows: 4 } },
});
