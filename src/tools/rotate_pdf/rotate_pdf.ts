/**
 * rotate_pdf: a tool that is listed but cannot be called. Its page runs it in the browser, so the PDF is not uploaded.
 */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';

export const rotatePdf = defineBrowserTool({
  name: 'rotate_pdf',
  title: 'Rotate PDF pages',
  shortName: 'Rotate PDF',
  kind: 'pdf',
  icon: 'rotate-cw-square',
  description:
    'Rotates pages of a PDF by 90, 180 or 270 degrees and leaves everything else unchanged. It runs in the browser; the PDF never leaves your machine.',
  input: z.strictObject({}),
  produces: ['application/pdf'],
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['pdf'], uploadOnly: true },
  example: { parameters: {}, files: ['report.pdf'] },
  synonyms: ['turn', 'sideways', 'upside down', 'flip', 'landscape portrait', 'orientation'],
});
