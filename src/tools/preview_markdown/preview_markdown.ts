/**
 * preview_markdown: a tool that is listed but cannot be called. Its page runs it in the browser, so the text is not
 * uploaded.
 */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const previewMarkdown = defineBrowserTool({
  name: 'preview_markdown',
  title: 'Preview Markdown',
  shortName: 'Preview Markdown',
  kind: 'text',
  icon: 'eye',
  description:
    'Renders GitHub-flavored Markdown, and shows its HTML. Raw HTML is shown as text. It runs in the browser; the text never leaves your machine.',
  input: z.strictObject({
    markdown: z.string().describe('The Markdown text.'),
  }),
  synonyms: ['md', 'render', 'readme', 'html'],
});
