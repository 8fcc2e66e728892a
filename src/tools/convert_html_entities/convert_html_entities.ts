/** convert_html_entities: converts text to HTML entities and back, in the browser. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const convertHtmlEntities = defineBrowserTool({
  name: 'convert_html_entities',
  title: 'HTML entities',
  shortName: 'Convert',
  kind: 'code',
  icon: 'ampersand',
  description:
    'Escapes text for HTML (& < > quotes, optionally every non-ASCII character), or turns entities back into text. It runs in the browser; no data is sent.',
  input: z.strictObject({
    text: z.string().describe('The text or HTML.'),
    mode: z
      .enum(['escape', 'escape-all', 'decode'])
      .default('escape')
      .describe(
        'escape: & < > and quotes; escape-all: also non-ASCII characters; decode: entities to text.',
      ),
  }),
  output: z.object({ text: z.string() }),
  example: { parameters: { text: '<p title="café">Fish & chips</p>' } },
  synonyms: [
    'escape html',
    'unescape',
    '&amp; &lt; &nbsp;',
    'special characters',
    'htmlspecialchars',
  ],
  form: {
    text: { help: '', rows: 6, takesFile: true },
    mode: {
      label: 'What to do',
      help: '',
      choices: {
        escape: 'Escape & < > and quotes',
        'escape-all': 'Escape é, ü, … too',
        decode: 'Decode entities',
      },
    },
  },
});
