/**
 * merge_pdf: merges PDFs without changing their pages. The Worker merges small plain files, and the media worker merges
 * all others.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import type { InputFile } from '../../core/input-file.ts';
import { MAX_BODY_BYTES, MAX_FILE_BYTES } from '../../core/limits.ts';
import { type FileOutput, file } from '../../core/tool-output.ts';
import { pagesOf } from '../media-facts.ts';
import type { PlainDocument } from '../plain-pdf.ts';

const FILENAME = 'merged.pdf';

/** pdf-lib is loaded on the first call, because it would add about 20 ms to every start of the Worker. */
const loadEdge = () => import('../plain-pdf.ts');

export const mergePdf = defineTool({
  name: 'merge_pdf',
  title: 'Merge PDFs',
  shortName: 'Merge PDFs',
  kind: 'pdf',
  icon: 'combine',
  domain: 'documents',
  description:
    'Merges two or more PDFs into one, in the given order. Pages are copied unchanged; bookmarks, links, page labels ' +
    'and form fields are preserved. Every input must be a PDF: use images_to_pdf for images, split_pdf for single pages.',
  input: z.strictObject({}),
  produces: ['application/pdf'],
  files: {
    min: 2,
    max: 100,
    maxBytes: MAX_FILE_BYTES,
    maxTotalBytes: MAX_BODY_BYTES,
    kinds: ['pdf'],
  },
  example: { files: ['first.pdf', 'second.pdf'] },
  synonyms: ['mergepdf', 'combine', 'join', 'append', 'put together', 'reorder pages'],
  access: 'anyone',
  limits: [{ calls: 20, per: 'hour', by: 'ip' }],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: ['media'],
  async run(_, { files, media, signal, warn }) {
    const plain = await mergeAtEdge(files);
    if (plain) return plain;
    const merged = await media.run('merge_pdf', {}, files, signal);
    for (const warning of (merged.meta.warnings ?? []) as string[]) warn(warning);
    return file(merged.body, 'application/pdf', FILENAME, {
      size: merged.size,
      facts: pagesOf(merged.meta),
    });
  },
});

/** Returns the merged document, or null if the media worker must merge the files. */
async function mergeAtEdge(files: readonly InputFile[]): Promise<FileOutput | null> {
  const { isSmall, mergePlain, openPlain, unlessPdfLibFails } = await loadEdge();
  if (!isSmall(files.map(({ size }) => size))) return null;
  const documents: PlainDocument[] = [];
  for (const input of files) {
    const document = await openPlain(await input.bytes());
    if (!document) return null;
    documents.push(document);
  }
  const pages = documents.reduce((sum, document) => sum + document.getPageCount(), 0);
  const merged = await unlessPdfLibFails(() => mergePlain(documents));
  return merged && file(merged, 'application/pdf', FILENAME, { facts: { pages } });
}
