/** parse_document: extracts the text of a .txt file, or the text layer of a PDF page by page. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, ToolError } from '../../core/errors.ts';
import type { InputFile } from '../../core/input-file.ts';
import { MAX_FILE_BYTES, MB } from '../../core/limits.ts';
import { json, type ToolOutput } from '../../core/tool-output.ts';
import { OCR_LANGUAGES, type OcrLanguage } from '../extract_text_ocr/ocr-languages.ts';
import { type PageSpan, parsePageRanges } from '../split_pdf/page-ranges.ts';
import { countWords } from './count-words.ts';
import { REPLACEMENT, readingWarning, textPieces } from './decode-text.ts';
import { largeText } from './large-text.ts';

const EXTENSIONS = ['pdf', 'txt'];
/** The text of a larger .txt file is streamed. The response contains the same JSON. */
const LARGE_BYTES = 8 * MB;

export const parseDocument = defineTool({
  name: 'parse_document',
  title: 'Read the text of a document',
  shortName: 'Read text',
  kind: 'pdf',
  icon: 'file-text',
  domain: 'documents',
  description:
    'Returns the text of a .txt file (UTF-8) or the text layer of a .pdf; the filename extension decides. A ' +
    '"--- Page N ---" line precedes each page after the first. At most 50 MB and 300 pages. A PDF of images fails ' +
    'with imageOnly unless ocr is "auto".',
  input: z.strictObject({
    pages: z.string().optional().describe('Pages, as "1-5,9".'),
    format: z
      .enum(['text', 'markdown'])
      .default('text')
      .describe('markdown keeps headings, lists and tables.'),
    layout: z.boolean().default(false).describe('Also returns the blocks of the pages.'),
    ocr: z
      .enum(['off', 'auto'])
      .default('off')
      .describe('auto: uses OCR on PDF pages without text.'),
    language: z
      .enum(Object.keys(OCR_LANGUAGES) as OcrLanguage[])
      .default('eng')
      .describe('For OCR.'),
  }),
  output: z.object({
    text: z.string().describe('The text of the document.'),
    metadata: z
      .object({
        format: z.enum(['txt', 'pdf']).describe('The kind of document.'),
        pages: z.number().int().optional().describe('The pages of a PDF.'),
        words: z.number().int().describe('Number of words, without page separators.'),
        recognised: z.array(z.number().int()).optional().describe('Pages that were read by OCR.'),
      })
      .describe('Facts about the document.'),
    layout: z
      .array(
        z.object({
          page: z.number().int().describe('The page number, from 1.'),
          width: z.number().describe('In points, as shown.'),
          height: z.number().describe('In points, as shown.'),
          blocks: z
            .array(
              z.object({
                type: z
                  .enum([
                    'artifact',
                    'code',
                    'figure',
                    'footnote',
                    'heading',
                    'list item',
                    'paragraph',
                    'table',
                  ])
                  .describe('What the block is.'),
                box: z
                  .array(z.number())
                  .describe('Left, top, right and bottom in points from the top left corner.'),
                text: z.string().describe('The text of the block.'),
                level: z.number().int().optional().describe('Of a heading, from 1.'),
                rows: z.array(z.array(z.string())).optional().describe('The cells of a table.'),
              }),
            )
            .describe('In reading order.'),
        }),
      )
      .optional()
      .describe('The blocks of each page in reading order; only with layout.'),
  }),
  files: {
    min: 1,
    max: 1,
    maxBytes: MAX_FILE_BYTES,
    kinds: ['any'],
    extensions: EXTENSIONS,
    otherwise:
      'Save a document as a PDF. For an image, use [Extract text by OCR](/tools/extract_text_ocr).',
    check: checkExtension,
  },
  example: { files: ['report.pdf'] },
  form: {
    format: {
      label: 'Save as',
      help: 'Markdown keeps headings, lists and tables.',
      choices: { text: 'Plain text', markdown: 'Markdown' },
    },
    ocr: {
      label: 'Scanned pages',
      help: 'OCR reads at most 50 pages.',
      initial: 'auto',
      choices: { auto: 'Recognize their text', off: 'Leave them out' },
    },
    language: { label: 'Language of scanned pages', help: '', choices: OCR_LANGUAGES },
    pages: { help: 'For example 1-5, 9. Leave empty for all pages.', isAdvanced: true },
    layout: { label: 'Include the position of each block', help: '', isAdvanced: true },
  },
  synonyms: ['pdf to text', 'docx', 'word', 'extract text', 'markdown', 'read'],
  access: 'anyone',
  isLong: true,
  limits: [{ calls: 10, per: 'minute', by: 'caller' }],
  surfaces: ['rest', 'mcp', 'chain'],
  untrusted: true,
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: ['media'],
  check: ({ pages }) => (pages === undefined ? undefined : parsePages(pages)),
  async run({ format, layout, ocr, language }, { files, media, signal, progress, warn }, pages) {
    const input = files[0]!;
    if (extensionOf(input) === 'txt') {
      if (pages) warn('pages: A text file has no pages, so all of it was read.');
      if (layout) warn('layout: A text file has no layout.');
      const { output, replaced } = await readText(input);
      const warning = readingWarning(input, replaced);
      if (warning) warn(warning);
      return output;
    }
    const params = { pages, format, layout, ocr, language };
    const { body, meta } = await media.run('parse_document', params, files, signal, progress);
    for (const warning of (meta.warnings ?? []) as string[]) warn(warning);
    return json((await new Response(body).json()) as Record<string, unknown>);
  },
});

/** Returns the spans of `pages`. Throws ToolError 400 with the parameter's name. */
function parsePages(pages: string): PageSpan[] {
  try {
    return parsePageRanges(pages);
  } catch (error) {
    throw error instanceof ToolError ? error.naming('pages') : error;
  }
}

const extensionOf = ({ name }: InputFile) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();

/** Throws 400 unless the file's name ends with .txt or .pdf. */
function checkExtension(file: InputFile): void {
  const extension = extensionOf(file);
  if (extension && EXTENSIONS.includes(extension)) return;
  throw badRequest(
    `parse_document reads files with the extension .txt or .pdf; "${file.name}" has ` +
      `${extension ? `the extension .${extension}` : 'none'}. Save the document as a PDF, or use extract_text_ocr for an image.`,
    'file',
  );
}

async function readText(input: InputFile): Promise<{ output: ToolOutput; replaced: boolean }> {
  if (input.size > LARGE_BYTES) return largeText(input);
  let text = '';
  for await (const piece of textPieces(await input.stream())) text += piece;
  const metadata = { format: 'txt', words: countWords(text) };
  return { output: json({ text, metadata }), replaced: text.includes(REPLACEMENT) };
}
