/** read_document: returns a part of a document that fits into an agent's context, and a cursor for the next part. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { estimateTokens } from '../../core/estimate-tokens.ts';
import type { InputFile } from '../../core/input-file.ts';
import { MAX_FILE_BYTES, OUTPUT_LIFE_SECONDS } from '../../core/limits.ts';
import type { MediaPort } from '../../core/ports.ts';
import { json } from '../../core/tool-output.ts';
import { safeFilename, stemOf } from '../../lib/filename.ts';
import { imageKind } from '../../lib/image-kind.ts';
import { isPdf } from '../../lib/magic-bytes.ts';
import { textEncodingOf } from '../../web/text-bytes.ts';

/**
 * The maximum number of tokens in a part. A part of this size, including its JSON and its markers, stays below the
 * limit for a result.
 */
const MAX_TOKENS = 5000;
/** The maximum number of characters in a part, regardless of its tokens. */
const MAX_CHARACTERS = 40_000;
/**
 * The fraction of a part, measured from its end, that is searched for a line break. If there is one, the part ends
 * there.
 */
const LINE_BREAK_SHARE = 0.2;

const PAGES = /^(\d{1,6})(?:-(\d{1,6}))?$/;

export const readDocument = defineTool({
  name: 'read_document',
  title: 'Read a document',
  shortName: 'Read',
  kind: 'pdf',
  icon: 'file-text',
  domain: null,
  description:
    'Reads a PDF, a text file or an earlier result of any length, about 5,000 tokens at a time; `next` holds the ' +
    'arguments for the next part. For scans, use extract_text_ocr.',
  input: z.strictObject({
    pages: z
      .string()
      .regex(PAGES, 'pages must be a page or a range of pages, such as "7" or "3-12".')
      .optional()
      .describe('Only these pages of a PDF: "7" or "3-12".'),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, 'cursor must be the value of `next.cursor` in the previous response.')
      .optional()
      .describe('The cursor in `next` of the previous response.'),
  }),
  output: z.object({
    text: z.string(),
    pages: z.int().optional().describe('Of the whole PDF.'),
    next: z.object({ fileUrl: z.string().optional(), cursor: z.string() }).optional(),
  }),
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['any'], check: checkReadable },
  access: 'anyone',
  limits: [{ calls: 20, per: 'minute', by: 'caller' }],
  surfaces: ['chain'],
  untrusted: true,
  annotations: { readOnly: true, idempotent: true, openWorld: true, destructive: false },
  needs: ['media', 'storage'],
  async run({ pages, cursor = '0' }, { files, media, storage, caller, signal }) {
    const input = files[0]!;
    const from = Number(cursor);
    if (!isPdf(input.head)) {
      if (pages !== undefined)
        throw badRequest(`${input.name} is a text file and has no pages. Omit "pages".`, 'pages');
      return json(partOf(await textFrom(input, from), from));
    }
    const document = await textOfPdf(input, media, signal);
    const text = pages === undefined ? document.text : selected(document, pages);
    const { next, ...part } = partOf(text.slice(from), from);
    const facts = { ...part, pages: document.pages };
    if (!next) return json(facts);
    // The text is stored, so that later calls do not extract it from the PDF again.
    const { id, url } = await storage.store(new TextEncoder().encode(text), {
      filename: safeFilename(`${stemOf(input.name, 'pdf')}.txt`),
      contentType: 'text/plain; charset=utf-8',
      lifeSeconds: OUTPUT_LIFE_SECONDS,
      caller,
      compress: true,
    });
    return json({ ...facts, next: { fileUrl: url, ...next } }, { stored: id });
  },
});

function checkReadable({ name, head }: InputFile): void {
  if (isPdf(head) || textEncodingOf(head) !== null) return;
  throw badRequest(
    imageKind(head) === null
      ? `"${name}" is neither a PDF nor text. Convert it to a PDF.`
      : `"${name}" is an image. Read its text with extract_text_ocr.`,
    'file',
  );
}

interface PdfText {
  /** The text of the PDF. A line `--- Page N ---` precedes each page except the first. */
  text: string;
  pages: number;
}

async function textOfPdf(
  input: InputFile,
  media: MediaPort,
  signal: AbortSignal,
): Promise<PdfText> {
  const { body } = await media.run('parse_document', {}, [input], signal);
  const { text, metadata } = (await new Response(body).json()) as {
    text: string;
    metadata: { pages: number };
  };
  return { text, pages: metadata.pages };
}

/** Returns the text of a span of pages. Throws 400 if the span selects no page of the document. */
function selected({ text, pages }: PdfText, span: string): string {
  const [, first, last = first] = PAGES.exec(span)!;
  const begin = Math.max(1, Number(first));
  const end = Math.min(pages, Number(last));
  if (begin > end) {
    throw badRequest(
      `"${span}" selects no page: the last page of the document is ${pages}.`,
      'pages',
    );
  }
  const from = begin === 1 ? 0 : startOf(text, begin);
  const to = end === pages ? text.length : startOf(text, end + 1);
  return text.slice(from, to).trim();
}

/** Returns the position of the separator before a page. */
function startOf(text: string, page: number): number {
  const at = text.indexOf(`\n--- Page ${page} ---\n`);
  return at === -1 ? text.length : at;
}

/** Returns the text of a file from an offset. Stops when there is more text than fits into a part. */
async function textFrom(input: InputFile, from: number): Promise<string> {
  const encoding = textEncodingOf(input.head) ?? 'utf-8';
  const decoder = new TextDecoderStream(encoding) as unknown as TransformStream<Uint8Array, string>;
  let skip = from;
  let text = '';
  for await (const piece of (await input.stream()).pipeThrough(decoder)) {
    if (skip < piece.length) text += piece.slice(skip);
    skip = Math.max(0, skip - piece.length);
    if (text.length > MAX_CHARACTERS) break;
  }
  return text;
}

/**
 * Returns the first part of the text that was read from `offset`. If more text follows, also returns the cursor of the
 * next part.
 */
function partOf(text: string, offset: number): { text: string; next?: { cursor: string } } {
  if (text === '' && offset > 0) {
    throw badRequest('The cursor is beyond the end of the document. Omit it.', 'cursor');
  }
  const limited = text.slice(0, MAX_CHARACTERS);
  let { end } = estimateTokens(limited, MAX_TOKENS);
  if (end >= text.length) return { text };
  const line = limited.lastIndexOf('\n', end - 1) + 1;
  if (line > end * (1 - LINE_BREAK_SHARE)) end = line;
  // A part must not end between the halves of a surrogate pair.
  else if (/[\ud800-\udbff]/.test(limited[end - 1]!)) end -= 1;
  return { text: text.slice(0, end), next: { cursor: String(offset + end) } };
}
