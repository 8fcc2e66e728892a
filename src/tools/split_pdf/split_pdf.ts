/** split_pdf: page ranges of a PDF as PDFs of their own: small plain ones at the edge, everything else by qpdf. */
import { downloadZip } from 'client-zip';
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { failed } from '../../core/errors.ts';
import type { InputFile } from '../../core/input-file.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';
import { type FileOutput, file } from '../../core/tool-output.ts';
import { type PageSpan, parsePageRanges, partNames, selectPages } from '../../pdf/page-ranges.ts';

/** Loaded at the first call: pdf-lib would cost every start of the Worker some 20 ms. */
const loadEdge = () => import('../../pdf/plain-document.ts');

const MAX_RANGES = 1000;
/** The date of every entry, so that archives of equal content are equal: the earliest that ZIP knows. */
const ZIP_DATE = new Date(1980, 0, 1);

export const splitPdf = defineTool({
  name: 'split_pdf',
  title: 'Split a PDF',
  domain: 'documents',
  description:
    'Copies page ranges of a PDF into PDFs of their own, verbatim. One range gives that PDF; several give a ZIP with ' +
    'one PDF each. Pages count from 1; spans are clamped to the document, and a range that selects no page gives no file.',
  input: z.strictObject({
    ranges: z
      .array(z.string())
      .min(1)
      .max(MAX_RANGES)
      .describe(
        'One output file per entry: "1-3" for a span, "7" for one page, "1-3,7" for both in one file.',
      ),
  }),
  produces: ['application/pdf', 'application/zip'],
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['pdf'] },
  access: 'anyone',
  limits: [{ calls: 20, per: 'hour', by: 'ip' }],
  doors: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: ['media'],
  async run({ ranges }, { files, media, signal, warn }) {
    const input = files[0]!;
    const entries = ranges.map(parsePageRanges);
    const stem = input.name.replace(/\.pdf$/i, '');
    const split = await splitAtEdge(input, entries, stem);
    if (split) {
      for (const index of split.dropped) warn(nothingSelected(ranges[index]!));
      return split.output;
    }
    const result = await media.run('split_pdf', { ranges }, files, signal);
    for (const entry of (result.meta.dropped as string[] | undefined) ?? []) {
      warn(nothingSelected(entry));
    }
    return file(result.body, result.contentType, nameOf(stem, entries), { size: result.size });
  },
});

/** The split at the edge and the indices of entries that select nothing; null where it is work for qpdf. */
async function splitAtEdge(
  input: InputFile,
  entries: readonly PageSpan[][],
  stem: string,
): Promise<{ output: FileOutput; dropped: number[] } | null> {
  const { isSmall, isSmallSelection, openPlain, selectPlain } = await loadEdge();
  const document = isSmall([input.size]) ? await openPlain(await input.bytes()) : null;
  if (!document) return null;
  const pageCount = document.getPageCount();
  const selections = entries.map((spans) => selectPages(spans, pageCount));
  if (!isSmallSelection(selections)) return null;
  const names = partNames(entries);
  const parts: { name: string; input: Uint8Array; lastModified: Date }[] = [];
  const dropped: number[] = [];
  for (const [index, pages] of selections.entries()) {
    if (pages.length === 0) {
      dropped.push(index);
      continue;
    }
    // What pdf-lib fails at is work for qpdf.
    const part = await selectPlain(document, pages).catch(() => null);
    if (!part) return null;
    parts.push({ name: names[index]!, input: part, lastModified: ZIP_DATE });
  }
  if (parts.length === 0) {
    throw failed(
      `No range selects a page: the document has ${pageCount === 1 ? '1 page' : `${pageCount} pages`}.`,
    );
  }
  const name = nameOf(stem, entries);
  if (entries.length === 1)
    return { output: file(parts[0]!.input, 'application/pdf', name), dropped };
  const archive = await downloadZip(parts).arrayBuffer();
  return { output: file(new Uint8Array(archive), 'application/zip', name), dropped };
}

/** One range gives a PDF named after the input and the range, several a ZIP named after the input. */
function nameOf(stem: string, entries: readonly PageSpan[][]): string {
  return entries.length === 1 ? `${stem}-${partNames(entries)[0]}` : `${stem}-split.zip`;
}

const nothingSelected = (entry: string) =>
  `The range "${entry}" selects no page; it gives no file.`;
