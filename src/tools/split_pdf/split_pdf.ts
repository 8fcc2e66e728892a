/** split_pdf: extracts page ranges as PDFs. The Worker splits small plain files, and the media worker all others. */

import { downloadZip } from 'client-zip';
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import type { InputFile } from '../../core/input-file.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';
import { type FileOutput, file } from '../../core/tool-output.ts';
import { stemOf } from '../../lib/filename.ts';
import { pagesOf } from '../media-facts.ts';
import {
  MAX_RANGES,
  type PageSpan,
  parsePageRanges,
  partNames,
  rangeWarnings,
  requirePages,
  selectPages,
} from './page-ranges.ts';
import { ZIP_DATE } from './zip-date.ts';

/** pdf-lib is loaded on the first call, because it would add about 20 ms to every start of the Worker. */
const loadEdge = () => import('../plain-pdf.ts');

/** The maximum number of characters across all entries. */
const MAX_RANGES_CHARACTERS = 1_000_000;

export const splitPdf = defineTool({
  name: 'split_pdf',
  title: 'Split a PDF',
  shortName: 'Split PDF',
  kind: 'pdf',
  icon: 'scissors',
  domain: 'documents',
  description:
    'Extracts page ranges of a PDF as PDFs, unchanged. One range returns a PDF; several return a ZIP with ' +
    'one PDF each. Page numbers start at 1. Spans are clamped to the document; a range that selects no page produces ' +
    'no file.',
  input: z.strictObject({
    ranges: z
      .array(z.string())
      .min(1)
      .max(MAX_RANGES)
      .describe(
        'One file per line: "1-3" for a range, "7" for one page, "1-3,7" for both in one file.',
      ),
    attachments: z.boolean().default(false).describe('Keep attachments in each file.'),
  }),
  produces: ['application/pdf', 'application/zip'],
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['pdf'] },
  example: { parameters: { ranges: ['1-3', '5'] }, files: ['report.pdf'] },
  form: {
    ranges: {
      label: 'Pages',
      help: 'For example 2-4, 7. The order is kept. Each line becomes a PDF.',
      control: 'pages',
      rows: 2,
    },
    attachments: {
      label: 'Keep attachments',
      help: 'Each file includes all attachments of the document.',
      isAdvanced: true,
    },
  },
  synonyms: ['separate', 'extract pages', 'cut', 'delete pages', 'remove pages'],
  access: 'anyone',
  limits: [{ calls: 20, per: 'hour', by: 'ip' }],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: ['media'],
  check: ({ ranges }) => {
    // Each span of an entry becomes an object. Without this limit, 1,000 long entries took more than a second.
    if (ranges.reduce((sum, { length }) => sum + length, 0) > MAX_RANGES_CHARACTERS) {
      throw badRequest(
        'The ranges have more than a million characters in total. Send fewer at a time.',
        'ranges',
      );
    }
    return ranges.map(parsePageRanges);
  },
  async run({ ranges, attachments }, { files, media, signal, warn }, entries) {
    const input = files[0]!;
    const stem = stemOf(input.name, 'pdf');
    const split = await splitAtEdge(input, entries, stem);
    if (split) {
      for (const warning of rangeWarnings(ranges, entries, split.pageCount)) warn(warning);
      return split.output;
    }
    const result = await media.run('split_pdf', { ranges: entries, attachments }, files, signal);
    for (const warning of (result.meta.warnings ?? []) as string[]) warn(warning);
    // A worker from an earlier release does not report the number of pages.
    const { pageCount = Number.POSITIVE_INFINITY } = result.meta as { pageCount?: number };
    for (const warning of rangeWarnings(ranges, entries, pageCount)) warn(warning);
    return file(result.body, result.contentType, nameOf(stem, entries), {
      size: result.size,
      facts: pagesOf(result.meta),
      entries: partsOf(result.meta),
    });
  },
});

interface SplitAtEdge {
  output: FileOutput;
  /** The number of pages of the whole document. */
  pageCount: number;
}

/** Splits the document in the Worker. Returns null if the media worker must split it. */
async function splitAtEdge(
  input: InputFile,
  entries: readonly PageSpan[][],
  stem: string,
): Promise<SplitAtEdge | null> {
  const { isSmall, unlessPdfLibFails } = await loadEdge();
  if (!isSmall([input.size])) return null;
  const bytes = await input.bytes();
  return unlessPdfLibFails(() => splitPlain(bytes, entries, stem));
}

/** Splits a plain document. Returns null if the document is not plain. */
async function splitPlain(
  bytes: Uint8Array,
  entries: readonly PageSpan[][],
  stem: string,
): Promise<SplitAtEdge | null> {
  const { isSmallSelection, openPlain, selectPlain, sharesResources } = await loadEdge();
  const document = await openPlain(bytes);
  if (!document || sharesResources(document)) return null;
  const pageCount = document.getPageCount();
  const selections = entries.map((spans) => selectPages(spans, pageCount));
  if (!isSmallSelection(selections)) return null;
  requirePages(selections, pageCount);
  const names = partNames(entries);
  const parts: { name: string; input: Uint8Array; lastModified: Date }[] = [];
  for (const [index, pages] of selections.entries()) {
    if (pages.length === 0) continue;
    const part = await selectPlain(document, pages);
    parts.push({ name: names[index]!, input: part, lastModified: ZIP_DATE });
  }
  const name = nameOf(stem, entries);
  if (entries.length === 1) {
    const facts = { pages: selections[0]!.length };
    return { output: file(parts[0]!.input, 'application/pdf', name, { facts }), pageCount };
  }
  const archive = new Uint8Array(await downloadZip(parts).arrayBuffer());
  const facts = selections
    .filter(({ length }) => length > 0)
    .map(({ length: pages }) => ({ pages }));
  return { output: file(archive, 'application/zip', name, { entries: facts }), pageCount };
}

/** Returns the properties of each part. A worker from an earlier release reports none. */
const partsOf = ({ partPages = [] }: { partPages?: number[] }) =>
  partPages.map((pages) => ({ pages }));

/**
 * Returns the name of the result. A single part is named after the input and the range, and a ZIP of several parts
 * after the input.
 */
function nameOf(stem: string, entries: readonly PageSpan[][]): string {
  return entries.length === 1 ? `${stem}-${partNames(entries)[0]}` : `${stem}-split.zip`;
}
