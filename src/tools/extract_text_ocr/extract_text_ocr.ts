/** extract_text_ocr: recognizes the text in an image or a scanned PDF with Tesseract. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';
import { file, json } from '../../core/tool-output.ts';
import { stemOf } from '../../lib/filename.ts';
import { pagesOf } from '../media-facts.ts';
import { OCR_LANGUAGES, type OcrLanguage } from './ocr-languages.ts';

const LANGUAGES = Object.keys(OCR_LANGUAGES) as OcrLanguage[];

/**
 * Pairs of languages for the form. Each language is combined with English, because it is the most common second
 * language.
 */
const PAIRS = Object.fromEntries(
  Object.entries(OCR_LANGUAGES)
    .filter(([code]) => code !== 'eng')
    .map(([code, name]) => [`${code}\neng`, `${name} and English`]),
);

export const extractTextOcr = defineTool({
  name: 'extract_text_ocr',
  title: 'Extract text by OCR',
  shortName: 'Recognize text',
  kind: 'pdf',
  icon: 'scan-text',
  domain: 'documents',
  description:
    'Recognizes the text in an image or a scanned PDF (at most 50 pages), with a confidence from 0 to 1. For PDFs ' +
    'with a text layer use parse_document.',
  input: z.strictObject({
    language: z.enum(LANGUAGES).default('eng').describe('Language of the text.'),
    languages: z
      .array(z.enum(LANGUAGES))
      .min(1)
      .max(LANGUAGES.length)
      .optional()
      .describe('Several, the main one first.'),
    output: z
      .enum(['text', 'pdf', 'words'])
      .default('text')
      .describe('pdf: a searchable PDF instead of the text. words: adds word boxes.'),
  }),
  output: z.object({
    text: z.string().describe('The recognized text; empty if none was found.'),
    language: z.enum(LANGUAGES).describe('The language used, or the first of several.'),
    languages: z
      .array(z.enum(LANGUAGES))
      .optional()
      .describe('The languages, if several were given.'),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Confidence, 0 to 1; 0 if no text was found.'),
    pages: z
      .array(
        z.object({
          page: z.int().describe('The page number, from 1.'),
          unit: z.enum(['px', 'pt']).describe('Pixels for images, points for PDF pages.'),
          width: z.number().describe('The page width, in `unit`.'),
          height: z.number().describe('The page height, in `unit`.'),
          words: z
            .array(
              z.object({
                text: z.string().describe('The word.'),
                confidence: z.number().describe('From 0 to 1.'),
                x: z.number().describe('From the left.'),
                y: z.number().describe('From the top.'),
                width: z.number().describe('Of the word.'),
                height: z.number().describe('Of the word.'),
              }),
            )
            .describe('The words in reading order.'),
        }),
      )
      .optional()
      .describe('Only with output words.'),
  }),
  produces: ['application/pdf'],
  fileWith: { output: 'pdf' },
  jsonOrFile:
    'The response is JSON, except with `output` set to `pdf`, which returns the PDF itself.',
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['image', 'pdf'] },
  example: { parameters: { language: 'eng' }, files: ['page.png'] },
  form: {
    language: { label: 'Language of the text', help: '', choices: OCR_LANGUAGES },
    languages: {
      label: 'Several languages',
      help: 'For pages that mix two languages.',
      unset: 'No, only the one above',
      choices: PAIRS,
      isAdvanced: true,
    },
    output: {
      label: 'Result',
      help: 'A searchable PDF shows the same pages. It is also recompressed, which makes most scans smaller.',
      choices: { text: 'Text', pdf: 'Searchable PDF', words: 'Text with positions' },
    },
  },
  synonyms: [
    'scan',
    'read image',
    'picture to text',
    'searchable pdf',
    'recognise',
    'recognize',
    'handwriting',
  ],
  access: 'anyone',
  limits: [{ calls: 20, per: 'hour', by: 'ip' }],
  isLong: true,
  surfaces: ['rest', 'mcp', 'chain'],
  untrusted: true,
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: ['media'],
  async run({ language, languages, output }, { files, media, signal, progress, warn }) {
    const params = {
      language,
      ...(languages && { languages: [...new Set(languages)] }),
      ...(output !== 'text' && { output }),
    };
    const result = await media.run('extract_text_ocr', params, files, signal, progress);
    for (const warning of (result.meta.warnings ?? []) as string[]) warn(warning);
    if (output === 'pdf') {
      const input = files[0]!;
      return file(result.body, 'application/pdf', `${stemOf(input.name)}-ocr.pdf`, {
        size: result.size,
        headers: { 'X-Input-Bytes': String(input.size), 'X-Output-Bytes': String(result.size) },
        facts: pagesOf(result.meta),
      });
    }
    return json((await new Response(result.body).json()) as Record<string, unknown>);
  },
});
