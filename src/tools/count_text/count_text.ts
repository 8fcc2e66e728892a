/** count_text: counts the characters, words and lines of text, and estimates its reading time, in the browser. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const countText = defineBrowserTool({
  name: 'count_text',
  title: 'Count words and characters',
  shortName: 'Count',
  kind: 'text',
  icon: 'text-search',
  description:
    'Counts the characters, words, sentences, lines and bytes of a text and estimates how long it takes to read. It runs in the browser; no data is sent.',
  input: z.strictObject({ text: z.string().describe('The text to count.') }),
  example: { parameters: { text: 'How long is this text?\nIt has two lines.' } },
  synonyms: [
    'word counter',
    'character count',
    'length',
    'statistics',
    'reading time',
    'how many letters',
  ],
  form: { text: { help: '', rows: 10, takesFile: true } },
});
