/**
 * test_regex: a tool that is listed but cannot be called. Its page runs it in the browser, so the text is not uploaded.
 */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const testRegex = defineBrowserTool({
  name: 'test_regex',
  title: 'Test a regular expression',
  shortName: 'Test expression',
  kind: 'text',
  icon: 'regex',
  description:
    'Tests a JavaScript regular expression against text. Lists every match with its groups, or shows the text with replacements. It runs in the browser. An expression that takes longer than two seconds is stopped.',
  input: z.strictObject({
    pattern: z.string().describe('The expression, without slashes around it.'),
    flags: z.string().default('g').describe('Any of d, g, i, m, s, u, v, y.'),
    text: z.string().describe('The text to search.'),
    replacement: z
      .string()
      .optional()
      .describe('The replacement for matches; $1 and $<name> are groups.'),
  }),
  synonyms: ['regular expression', 'pattern', 'match', 'replace', 'regexp'],
});
