/** preview_markdown: listed, but not callable; its page runs it in the browser, so that the input stays there. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const previewMarkdown = defineBrowserTool({
  name: 'preview_markdown',
  title: 'Preview markdown',
  shortName: 'Preview markdown',
  icon: 'M3 6h18v12H3zM6 15V9l3 3 3-3v6M17 9v6M15 13l2 2 2-2',
  description:
    'Renders GitHub-flavoured Markdown, and shows its HTML. Raw HTML is shown as text. It runs in the browser, on its page; the text never leaves your machine.',
  input: z.strictObject({
    markdown: z.string().describe('The text in markdown.'),
  }),
  synonyms: ['md', 'render', 'readme', 'html'],
});
