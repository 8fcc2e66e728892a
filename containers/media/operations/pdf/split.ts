/** split_pdf: one new PDF for each range of pages; several come as a ZIP. */
import { createReadStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest, failed } from '../../../../src/core/errors.ts';
import { PdfDocument } from '../../../../src/pdf/document.ts';
import { IncrementalUpdate } from '../../../../src/pdf/incremental-update.ts';
import { PdfDamage } from '../../../../src/pdf/objects.ts';
import { readOutlines } from '../../../../src/pdf/outlines.ts';
import { type LabelsOf, pageLabels } from '../../../../src/pdf/page-labels.ts';
import {
  droppedRanges,
  MAX_RANGES,
  type PageSpan,
  parsePageRanges,
  partNames,
  selectPages,
} from '../../../../src/pdf/page-ranges.ts';
import { flatPageReferences } from '../../../../src/pdf/pages.ts';
import {
  needsPruning,
  type OpenedFile,
  pruneDocument,
} from '../../../../src/pdf/prune-document.ts';
import { writePart } from '../../../../src/pdf/write-part.ts';
import { ProgramFailure } from '../../run-program.ts';
import type { Operation, OperationContext, OperationResult } from '../operation.ts';
import { zipResult } from '../zip-result.ts';
import { inParallel } from './in-parallel.ts';
import { normalise, openInput, type PdfInput, readStructure } from './input.ts';
import { deflate, inflate, qpdf, qpdfRange } from './qpdf.ts';

/** So many parts qpdf takes out, each in a run over the whole file; more are written by us, in the time of the parts. */
const FEW_PARTS = 4;
/** Writing a part keeps the server from all else. */
const LARGE_PART_PAGES = 200;
/** Bytes of all parts together: many ranges of a large file would fill the disk. */
const MAXIMUM_OUTPUT_BYTES = 512 * 1024 * 1024;

interface Part {
  name: string;
  path: string;
  /** From 1. */
  pages: number[];
  size: number;
}

/** The input does not split as opened, though it looked sound: it must be normalised first. */
class Unsound extends Error {}

export const splitPdf: Operation = {
  kind: 'pdf',
  async run(params, files, context) {
    const ranges = readRanges(params.ranges);
    const spans = ranges.map(parsePageRanges);
    const [file] = files;
    if (!file || files.length > 1)
      throw badRequest('split_pdf takes exactly one PDF file.', 'file');
    const input = await openInput(file, context);
    try {
      return await split(input, ranges, spans, context);
    } catch (error) {
      if (!(error instanceof Unsound)) throw error;
    }
    if (input.normalised) throw cannotSplit();
    const sound = await normalise(file, context);
    try {
      return await split(sound, ranges, spans, context);
    } catch (error) {
      throw error instanceof Unsound ? cannotSplit() : error;
    }
  },
};

const cannotSplit = () => failed('The file could be read, but its pages could not be taken out.');

function readRanges(value: unknown): string[] {
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  if (!isList || value.length === 0) {
    throw badRequest(
      'ranges must be a list of at least one range, such as ["1-3", "5"].',
      'ranges',
    );
  }
  if (value.length > MAX_RANGES) {
    throw badRequest(`ranges may have at most ${MAX_RANGES} entries.`, 'ranges');
  }
  return value;
}

async function split(
  input: PdfInput,
  ranges: readonly string[],
  spans: readonly PageSpan[][],
  context: OperationContext,
): Promise<OperationResult> {
  const file = soundly(() => {
    const { document } = input;
    const structure = readStructure(document);
    return { document, ...structure, outlines: readOutlines(document, structure.destinations) };
  });
  const pageCount = file.pages.list.length;
  const selected = spans.map((entry) => selectPages(entry, pageCount));
  const meta = { ...droppedRanges(selected, pageCount) };
  const kept = ranges.map((_, index) => index).filter((index) => selected[index]?.length);
  const names = partNames(kept.map((index) => spans[index] ?? []));
  const parts: Part[] = kept.map((index, order) => ({
    name: names[order] ?? '',
    path: join(context.directory, `part-${index}.pdf`),
    pages: selected[index] ?? [],
    size: 0,
  }));
  const labelsOf = soundly(() => pageLabels(file.document));
  let size = 0;
  await inParallel(parts, async (part) => {
    context.signal.throwIfAborted();
    if (parts.length > FEW_PARTS && isSmall(part)) await writeSmall(file, labelsOf, part);
    else await takeOut(input, file, part, context);
    size += part.size;
    if (size > MAXIMUM_OUTPUT_BYTES) {
      throw failed(
        'The parts come to more than 512 MB. Ask for fewer or smaller ranges at a time.',
      );
    }
  });
  return ranges.length === 1 ? asPdf(parts[0] as Part, meta) : zipResult(parts, meta);
}

const asPdf = (part: Part, meta: Record<string, unknown>): OperationResult => ({
  contentType: 'application/pdf',
  size: part.size,
  open: () => createReadStream(part.path, { highWaterMark: 1024 * 1024 }),
  meta,
});

const isSmall = ({ pages }: Part) =>
  pages.length <= LARGE_PART_PAGES && new Set(pages).size === pages.length;

async function writeSmall(file: OpenedFile, labelsOf: LabelsOf, part: Part): Promise<void> {
  const indexes = part.pages.map((page) => page - 1);
  const bytes = soundly(() => writePart(file, labelsOf, indexes, deflate));
  part.size = bytes.length;
  await writeFile(part.path, bytes);
}

async function takeOut(
  input: PdfInput,
  file: OpenedFile,
  part: Part,
  context: OperationContext,
): Promise<void> {
  let source = input.path;
  if (needsPruning(file.document)) {
    const kept = new Set(part.pages.map((page) => page - 1));
    const appended = soundly(() => {
      const update = new IncrementalUpdate(file.document, deflate);
      pruneDocument(file, kept, update);
      return update.build();
    });
    source = `${part.path}.pruned`;
    await writeFile(source, [file.document.bytes, appended]);
  }
  const range = ['--pages', '.', qpdfRange(part.pages), '--'];
  try {
    await qpdf([source, ...range, '--stream-data=preserve', part.path], context);
  } catch (error) {
    throw error instanceof ProgramFailure ? new Unsound() : error;
  }
  if (source !== input.path) await rm(source);
  const bytes = await readFile(part.path);
  const found = soundly(() => flatPageReferences(new PdfDocument(bytes, inflate))?.length);
  if (found !== part.pages.length) throw new Unsound();
  part.size = bytes.length;
}

/** What our reader says of a damaged file: that qpdf must look at it first. */
function soundly<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof PdfDamage ? new Unsound() : error;
  }
}
