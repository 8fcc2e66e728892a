/**
 * compress_pdf: compresses images and fonts in the media worker. While the media worker is unavailable, small plain
 * files are only rewritten in the isolate. Returns the input file if its size cannot be reduced.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { ToolError } from '../../core/errors.ts';
import type { InputFile } from '../../core/input-file.ts';
import { MAX_FILE_BYTES, MB } from '../../core/limits.ts';
import { type FileFacts, type FileOutput, file } from '../../core/tool-output.ts';
import { stemOf } from '../../lib/filename.ts';
import { pagesOf } from '../media-facts.ts';

const UNAVAILABLE = 503;
/** Suggests the strong level if the standard level has saved little on a file that is mostly images. */
const STRONGER =
  'Strong compression may make this file smaller, but images lose sharpness. Run again with `level: "strong"`.';
/**
 * The maximum size in bytes of a file that is compressed in the isolate, whose memory is limited. The size is checked
 * before pdf-lib is loaded, so that a call with a larger file returns immediately.
 */
const MAX_PACKED_BYTES = MB;

/**
 * pdf-lib is loaded only if the media worker is unavailable, because it would add about 20 ms to every start of the
 * Worker.
 */
const loadEdge = () => import('../plain-pdf.ts');

export const compressPdf = defineTool({
  name: 'compress_pdf',
  title: 'Compress a PDF',
  shortName: 'Compress PDF',
  kind: 'pdf',
  icon: 'file-down',
  domain: 'documents',
  description:
    'Makes a PDF smaller by downsampling images to 150 dpi (lossy) and subsetting fonts. ' +
    'Text, pages, links, forms and attachments are verified to be preserved; a file that cannot shrink is returned ' +
    'unchanged, with a reason. Large files can take a minute.',
  input: z.strictObject({
    level: z
      .enum(['standard', 'strong'])
      .default('standard')
      .describe('strong: 100 dpi, images lose sharpness.'),
  }),
  produces: ['application/pdf'],
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['pdf'] },
  example: { files: ['scan.pdf'] },
  form: {
    level: {
      label: 'Compression level',
      help: 'With Standard, photos lose only fine detail, such as grain. With Strong, the file is smaller, but images lose sharpness.',
      choices: {
        standard: 'Standard',
        strong: 'Strong',
      },
    },
  },
  synonyms: ['shrink', 'smaller', 'reduce size', 'too large to mail', 'optimise', 'optimize'],
  access: 'anyone',
  limits: [{ calls: 20, per: 'hour', by: 'ip' }],
  isLong: true,
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: ['media'],
  async run({ level }, { files, media, signal, progress, warn }) {
    const input = files[0]!;
    try {
      const { body, size, meta } = await media.run(
        'compress_pdf',
        { level },
        files,
        signal,
        progress,
      );
      if (meta.mayShrinkMore) warn(STRONGER);
      if (typeof meta.unchanged !== 'string') {
        return compressedFile(input, body, size!, pagesOf(meta), noteOf(meta));
      }
      await body.cancel();
      const reason = `Unchanged: ${meta.unchanged}.`;
      warn(reason);
      return compressedFile(input, await input.stream(), input.size, pagesOf(meta), reason);
    } catch (error) {
      if (!(error instanceof ToolError) || error.status !== UNAVAILABLE) throw error;
      signal.throwIfAborted();
    }
    const packed = await packAtEdge(input);
    const reason =
      'Images were not compressed, because image compression is temporarily unavailable. ' +
      `${packed ? 'The file was only rewritten with object streams.' : 'The file is unchanged.'} Try again in a minute.`;
    warn(reason);
    return packed
      ? compressedFile(input, packed.bytes, packed.bytes.length, { pages: packed.pages }, reason)
      : compressedFile(input, await input.stream(), input.size, {}, reason);
  },
});

/**
 * The media worker's report. It contains the number of bytes saved for each kind of content, and the kinds that are
 * unchanged because their comparison failed.
 */
const compression = z.object({
  saved: z.record(z.string(), z.number()),
  undone: z.array(z.string()),
});

/** Smaller savings are not listed, because they would be shown as 0.0 kB. */
const MIN_NAMED_BYTES = 50;

/**
 * Returns text such as `Saved: fonts 180.2 kB, images 31.0 kB. Some parts were left …`, or undefined if the media
 * worker reports nothing.
 */
function noteOf(meta: unknown): string | undefined {
  const { success, data } = compression.safeParse(meta);
  if (!success) return undefined;
  const kinds = Object.entries(data.saved)
    .filter(([, bytes]) => bytes >= MIN_NAMED_BYTES)
    .sort(([, left], [, right]) => right - left)
    .map(([kind, bytes]) => `${kind} ${(bytes / 1000).toFixed(1)} kB`);
  const saved = `Saved: ${kinds.join(', ') || 'less than 0.1 kB'}.`;
  if (data.undone.length === 0) return saved;
  return `${saved} Some parts were left unchanged, because reducing them would have lost content or changed pages: ${data.undone.join(', ')}.`;
}

/**
 * Returns the output file. Its headers contain the sizes before and after the compression, and describe the savings or
 * the reason why there are none.
 */
function compressedFile(
  input: InputFile,
  body: Uint8Array | ReadableStream<Uint8Array>,
  size: number,
  facts: FileFacts,
  note?: string,
): FileOutput {
  const stem = stemOf(input.name, 'pdf');
  const headers: Record<string, string> = {
    'X-Input-Bytes': String(input.size),
    'X-Output-Bytes': String(size),
  };
  if (note) headers['X-Compression-Note'] = note;
  return file(body, 'application/pdf', `${stem}-compressed.pdf`, { size, headers, facts });
}

/**
 * Rewrites a small plain file with object streams. Returns null if the result is not smaller, or if pdf-lib might lose
 * part of the document.
 */
async function packAtEdge(input: InputFile): Promise<{ bytes: Uint8Array; pages: number } | null> {
  if (input.size > MAX_PACKED_BYTES) return null;
  const { openPlain, packPlain, unlessPdfLibFails } = await loadEdge();
  const document = await openPlain(await input.bytes());
  const bytes = document && (await unlessPdfLibFails(() => packPlain(document)));
  if (!bytes || bytes.length >= input.size) return null;
  return { bytes, pages: document.getPageCount() };
}
