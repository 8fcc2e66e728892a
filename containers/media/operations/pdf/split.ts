/** Runs split_pdf in a document process. Writes one PDF per page range, and returns several as a ZIP. */
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest, failed } from '../../../../src/core/errors.ts';
import { MAX_LINKED_ENTRIES } from '../../../../src/core/limits.ts';
import {
  MAX_RANGES,
  type PageSpan,
  partNames,
  requirePages,
  selectPages,
} from '../../../../src/tools/split_pdf/page-ranges.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import type { OpenedFile } from '../../pdf/opened-file.ts';
import { flatPageReferences, readPages } from '../../pdf/pages.ts';
import { pruneDocument } from '../../pdf/prune-document.ts';
import { sharesResources } from '../../pdf/shared-resources.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { copyWarnings } from './copy-warnings.ts';
import { inParallel } from './in-parallel.ts';
import {
  allowForPages,
  normalize,
  openedFile,
  openInput,
  type PdfInput,
  ReadByQpdfOnly,
  withOwnResources,
} from './input.ts';
import { copyPagesOnly, countPagesByQpdf, PAGES_ONLY } from './pages-only.ts';
import { qpdf, qpdfRange } from './qpdf.ts';
import { soundly, Unsound, unsound } from './unsound.ts';
import { tooManyBytes, writeParts } from './write-parts.ts';

/**
 * The maximum number of parts for which qpdf is used if our reader can read the file. qpdf reads the whole file for
 * each part. If there are more parts, we write them ourselves, in time proportional to the size of the parts.
 */
const FEW_PARTS = 4;
const MAX_PAGES_OF_PARTS = 1_000_000;
/** The maximum total size of all parts, in bytes. Without it, many ranges of a large file would fill the disk. */
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

interface Part {
  name: string;
  path: string;
  /** From 1. */
  pages: number[];
  size: number;
}

export async function splitPdf(
  params: Record<string, unknown>,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  const spans = readRanges(params.ranges);
  const keepsAttachments = params.attachments === true;
  const file = onlyFile(files, 'split_pdf');
  try {
    return await splitWhole(file, spans, keepsAttachments, context);
  } catch (error) {
    const path = error instanceof Unsound || error instanceof ReadByQpdfOnly ? error.path : null;
    if (!path) throw error;
    const plain = await splitPlainly(path, spans, context);
    if (plain) return plain;
    throw error instanceof Unsound ? cannotSplit() : error;
  }
}

/** Splits the file, and preserves bookmarks and forms. Throws Unsound or ReadByQpdfOnly if only pages can be copied. */
async function splitWhole(
  file: OperationFile,
  spans: readonly PageSpan[][],
  keepsAttachments: boolean,
  context: OperationContext,
): Promise<StoredResult> {
  const input = await openInput(file, context);
  try {
    return await split(input, spans, keepsAttachments, context);
  } catch (error) {
    if (!(error instanceof Unsound) || input.normalized) throw unsoundAt(input.path, error);
  }
  const sound = await normalize(file, context);
  return split(sound, spans, keepsAttachments, context).catch((error) => {
    throw unsoundAt(sound.path, error);
  });
}

/** Returns an Unsound error with the path of the file that could not be split. Returns other errors unchanged. */
const unsoundAt = (path: string, error: unknown) =>
  error instanceof Unsound ? new Unsound(path) : error;

const cannotSplit = () =>
  failed(
    'The pages could not be extracted. Open the file in a PDF program, save it again and send the new file.',
  );

/** Extracts only the pages, with qpdf. Returns undefined if qpdf cannot extract them. */
async function splitPlainly(
  path: string,
  spans: readonly PageSpan[][],
  context: OperationContext,
): Promise<StoredResult | undefined> {
  const pageCount = await countPagesByQpdf(path, context);
  if (!pageCount) return undefined;
  const { parts, meta } = planParts(spans, pageCount, context);
  let size = 0;
  let isWhole = true;
  await inParallel(parts, async (part) => {
    isWhole &&= await copyPagesOnly([[path, part.pages]], part.path, context);
    if (isWhole) part.size = (await stat(part.path)).size;
    size += part.size;
    if (size > MAX_OUTPUT_BYTES) throw tooManyBytes();
  });
  return isWhole ? resultOf(spans, parts, { ...meta, warnings: [PAGES_ONLY] }) : undefined;
}

/** Validates the ranges, which the Worker has already parsed into spans of pages. */
function readRanges(value: unknown): PageSpan[][] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_RANGES;
  if (!isList || !value.every((spans) => Array.isArray(spans) && spans.every(isSpan))) {
    throw badRequest(
      `ranges must be a list of 1 to ${MAX_RANGES} ranges, each a list of [first, last] pairs.`,
      'ranges',
    );
  }
  return value;
}

const isSpan = (span: unknown) =>
  Array.isArray(span) && span.length === 2 && span.every(Number.isSafeInteger) && span[0] >= 1;

async function split(
  input: PdfInput,
  spans: readonly PageSpan[][],
  keepsAttachments: boolean,
  context: OperationContext,
): Promise<StoredResult> {
  const pageCount = soundly(() => readPages(input.document).list.length);
  const { parts, meta } = planParts(spans, pageCount, context);
  if (parts.length > FEW_PARTS) await writeMany(input, parts, keepsAttachments, context);
  else await takeOutFew(input, parts, keepsAttachments, context);
  const warnings = copyWarnings([input]);
  return resultOf(spans, parts, { ...meta, ...(warnings.length > 0 && { warnings }) });
}

/**
 * Plans the parts to write, and adds time for their pages to the limit. Throws ToolError 422 if no range selects a page
 * or all ranges together select too many.
 */
function planParts(
  spans: readonly PageSpan[][],
  pageCount: number,
  context: OperationContext,
): { parts: Part[]; meta: Record<string, unknown> } {
  const selected = selectAll(spans, pageCount);
  allowForPages(
    selected.reduce((sum, pages) => sum + pages.length, pageCount),
    context,
  );
  requirePages(selected, pageCount);
  const retained = spans.map((_, index) => index).filter((index) => selected[index]?.length);
  const names = partNames(retained.map((index) => spans[index] ?? []));
  const parts: Part[] = retained.map((index, order) => ({
    name: names[order] ?? '',
    path: join(context.directory, `part-${index}.pdf`),
    pages: selected[index] ?? [],
    size: 0,
  }));
  return { parts, meta: { pageCount } };
}

function resultOf(
  spans: readonly PageSpan[][],
  parts: readonly Part[],
  meta: Record<string, unknown>,
): StoredResult {
  const [part] = parts;
  if (spans.length > 1 || !part) {
    const partPages = parts.slice(0, MAX_LINKED_ENTRIES).map(({ pages }) => pages.length);
    return {
      entries: parts.map(({ name, path, size }) => ({ name, path, size })),
      meta: { ...meta, partPages },
    };
  }
  const { path, size, pages } = part;
  return { contentType: 'application/pdf', path, size, meta: { ...meta, pages: pages.length } };
}

/**
 * Returns the pages of each range. Throws ToolError 422 if the total number is too large, or 400 if that of one range
 * is.
 */
function selectAll(spans: readonly PageSpan[][], pageCount: number): number[][] {
  let total = 0;
  return spans.map((entry) => {
    const pages = selectPages(entry, pageCount);
    total += pages.length;
    if (total > MAX_PAGES_OF_PARTS) {
      throw failed('The ranges select more than a million pages. Send fewer ranges at a time.');
    }
    return pages;
  });
}

async function writeMany(
  input: PdfInput,
  parts: readonly Part[],
  keepsAttachments: boolean,
  context: OperationContext,
): Promise<void> {
  const distinct = parts.map(({ path, pages }) => ({ path, pages: [...new Set(pages)] }));
  const document = await withoutSharing(input, context);
  const sizes = soundly(() => writeParts(document, distinct, MAX_OUTPUT_BYTES, keepsAttachments));
  for (const [index, part] of parts.entries()) part.size = sizes[index] ?? 0;
  // Only qpdf can write a part that contains a page and its annotations more than once.
  const repeating = parts.filter(
    ({ pages }, index) => distinct[index]!.pages.length < pages.length,
  );
  await inParallel(repeating, async (part) => {
    const once = `${part.path}.once`;
    await rename(part.path, once);
    const positions = new Map([...new Set(part.pages)].map((page, index) => [page, index + 1]));
    await select(
      once,
      part.pages.map((page) => positions.get(page)!),
      part,
      context,
    );
    await rm(once);
  });
}

/** Returns the document. Rewrites it first if pages refer to resources that only other pages use. */
async function withoutSharing(input: PdfInput, context: OperationContext): Promise<PdfDocument> {
  const { document } = input;
  if (!soundly(() => sharesResources(document, readPages(document)))) return document;
  const bytes = await readFile(await withOwnResources(input, context).catch(unsound));
  return soundly(() => new PdfDocument(bytes));
}

async function takeOutFew(
  input: PdfInput,
  parts: readonly Part[],
  keepsAttachments: boolean,
  context: OperationContext,
): Promise<void> {
  const file = soundly(() => openedFile(input.document, keepsAttachments));
  let size = 0;
  await inParallel(parts, async (part) => {
    context.signal.throwIfAborted();
    await takeOut(input, file, part, context);
    size += part.size;
    if (size > MAX_OUTPUT_BYTES) throw tooManyBytes();
  });
}

async function takeOut(
  input: PdfInput,
  file: OpenedFile,
  part: Part,
  context: OperationContext,
): Promise<void> {
  let source = input.path;
  const retained = new Set(part.pages.map((page) => page - 1));
  const update = new IncrementalUpdate(file.document);
  soundly(() => pruneDocument(file, retained, update));
  if (update.size > 0) {
    source = `${part.path}.pruned`;
    await writeFile(source, [file.document.bytes, update.build()]);
  }
  await select(source, part.pages, part, context);
  if (source !== input.path) await rm(source);
}

/** Writes these pages of `source`, counted from 1, to the path of the part. */
async function select(
  source: string,
  pages: readonly number[],
  part: Part,
  context: OperationContext,
): Promise<void> {
  const range = ['--pages', '.', qpdfRange(pages), '--'];
  await qpdf([source, ...range, '--stream-data=preserve', part.path], context).catch(unsound);
  const bytes = await readFile(part.path);
  const found = soundly(() => flatPageReferences(new PdfDocument(bytes))?.length);
  if (found !== part.pages.length) throw new Unsound();
  part.size = bytes.length;
}
