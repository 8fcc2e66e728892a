/** Runs merge_pdf in a document process. Merges PDFs with their bookmarks, links, forms, layers and attachments. */
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest, failed } from '../../../../src/core/errors.ts';
import {
  appendDestinations,
  type NamedTarget,
  namedTargets,
} from '../../pdf/append-destinations.ts';
import { appendFormResources } from '../../pdf/append-form-resources.ts';
import { appendOutlines } from '../../pdf/append-outlines.ts';
import {
  appendStructures,
  isMarked,
  structureRoot,
  withdrawMark,
} from '../../pdf/append-structure.ts';
import {
  hasCarriedEntries,
  packCarriedEntries,
  unpackCarriedEntries,
} from '../../pdf/carried-entries.ts';
import { type Claims, readClaims, withdrawClaims } from '../../pdf/conformance.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import { linksLostInMerge, mendLinks, type PageLinks } from '../../pdf/links.ts';
import type { PdfReference } from '../../pdf/objects.ts';
import { type OutlineItem, readOutlines } from '../../pdf/outlines.ts';
import { flatPageReferences } from '../../pdf/pages.ts';
import { namingFiles, withDistinctNames } from '../naming-files.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { copyWarnings, tagWarnings } from './copy-warnings.ts';
import { normalize, openInput, type PdfInput, ReadByQpdfOnly, readStructure } from './input.ts';
import { pagesOnly } from './pages-only.ts';
import { qpdf } from './qpdf.ts';
import { soundly, Unsound, unsound } from './unsound.ts';

/** The parts of an input that the merged file must contain. They are collected while qpdf is running. */
interface Analysis {
  pageCount: number;
  outlines: OutlineItem[];
  lostLinks: PageLinks[];
  names: NamedTarget[];
  claims: Claims;
  isMarked: boolean;
}

const NO_PDF_A =
  'The result is not marked as PDF/A, because the files do not all claim the same PDF/A conformance level.';

/** Merges PDF files. Throws ToolError, which names the file if a single one caused the failure. */
export async function mergePdf(
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  if (files.length < 2) {
    throw badRequest('merge_pdf needs at least two PDF files. Send them in order.', 'files');
  }
  return namingFiles(() => mergeFiles(withDistinctNames(files), context));
}

async function mergeFiles(
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  try {
    return await mergeWhole(files, context);
  } catch (error) {
    if (!(error instanceof Unsound || error instanceof ReadByQpdfOnly)) throw error;
    // If the files cannot be merged completely, qpdf copies only their pages.
    const paths = files.map(({ path }) => path);
    const plain = await pagesOnly(paths, context);
    if (plain) return plain;
    if (!(error instanceof Unsound)) throw error;
    throw failed(
      'The files could not be merged. Save each one again in a PDF program and send the new files.',
    );
  }
}

/**
 * Merges the files, including bookmarks, forms and other parts. Throws Unsound, or ToolError, such as ReadByQpdfOnly.
 */
async function mergeWhole(
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  const inputs = await Promise.all(files.map((file) => openInput(file, context)));
  try {
    return await merge(inputs, context);
  } catch (error) {
    if (!(error instanceof Unsound)) throw error;
  }
  const sound: PdfInput[] = [];
  for (const input of inputs) {
    sound.push(input.normalized ? input : await normalize(input.file, context));
  }
  return merge(sound, context);
}

async function merge(
  inputs: readonly PdfInput[],
  context: OperationContext,
): Promise<StoredResult> {
  const output = join(context.directory, 'merged.pdf');
  const withTags = inputs.every(({ document }) => soundly(() => structureRoot(document)));
  const paths = await Promise.all(
    inputs.map((input, index) => carrying(input, index, withTags, context).catch(unsound)),
  );
  const compressed = inputs.some(({ document }) => document.crossReference.isStream);
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const run = qpdf(
    [
      paths[0] ?? '',
      '--pages',
      '.',
      '1-z',
      ...paths.slice(1).flatMap((path) => [path, '1-z']),
      '--',
      '--stream-data=preserve',
      '--remove-unreferenced-resources=no',
      // Without this option, qpdf puts only the objects of the first file into object streams, which doubles the size
      // of the result.
      ...(compressed ? ['--object-streams=generate', '--compression-level=3'] : []),
      output,
    ],
    { ...context, signal },
  );
  // qpdf runs while the inputs are being analyzed. Its failure is handled later, and must not be treated as an
  // unhandled rejection until then.
  run.catch(() => undefined);
  let analyses: Analysis[];
  try {
    await new Promise((resolve) => setImmediate(resolve));
    analyses = inputs.map((input, index) => analyze(input, index));
    await run;
  } catch (error) {
    stop.abort(new Error('the analysis has failed'));
    await run.catch(() => undefined);
    context.signal.throwIfAborted();
    return unsound(error);
  }
  const warnings = [...copyWarnings(inputs), ...tagWarnings(inputs)];
  return finish(output, analyses, warnings).catch(unsound);
}

/**
 * Returns the path of the file to pass to qpdf. If the input has entries that qpdf would not copy, they are attached to
 * its last page.
 */
async function carrying(
  input: PdfInput,
  index: number,
  withTags: boolean,
  context: OperationContext,
): Promise<string> {
  const { document } = input;
  if (index === 0) return input.path;
  if (!hasCarriedEntries(document, withTags)) return input.path;
  const last = readStructure(document).pages.list.at(-1);
  if (!last) return input.path;
  const update = new IncrementalUpdate(document);
  packCarriedEntries(document, last, update, withTags);
  const path = join(context.directory, `carrying-${index}.pdf`);
  await writeFile(path, [document.bytes, update.build()]);
  return path;
}

function analyze(input: PdfInput, index: number): Analysis {
  const { document } = input;
  const { pages, destinations } = readStructure(document);
  const pageCount = pages.list.length;
  const facts = { pageCount, claims: readClaims(document), isMarked: isMarked(document) };
  // qpdf builds the result from the first file and keeps that file's catalog.
  if (index === 0) return { ...facts, outlines: [], lostLinks: [], names: [] };
  return {
    ...facts,
    outlines: readOutlines(document, destinations),
    lostLinks: linksLostInMerge(document, pages, destinations),
    names: namedTargets(document, destinations),
  };
}

/** Appends the parts that qpdf has not copied to the merged file. Throws PdfDamage or Unsound. */
async function finish(
  path: string,
  analyses: readonly Analysis[],
  ownWarnings: readonly string[],
): Promise<StoredResult> {
  const expected = analyses.reduce((sum, { pageCount }) => sum + pageCount, 0);
  let unmendedLinks = 0;
  const merged = new PdfDocument(await readFile(path));
  const references = flatPageReferences(merged);
  if (references?.length !== expected) throw new Unsound();
  const update = new IncrementalUpdate(merged);
  const lastPages: PdfReference[] = [];
  const items: OutlineItem[] = [];
  const names: NamedTarget[] = [];
  const pagesOfFiles: PdfReference[][] = [];
  let firstPage = 0;
  for (const { pageCount, outlines, lostLinks, names: own } of analyses) {
    const offset = firstPage;
    unmendedLinks += mendLinks(merged, update, references, offset, lostLinks);
    const last = references[offset + pageCount - 1];
    if (offset > 0 && last) {
      lastPages.push(last);
      pagesOfFiles.push(references.slice(offset, offset + pageCount));
    }
    for (const { name, destination } of own) {
      const pageIndex = destination.pageIndex + offset;
      names.push({ name, destination: { ...destination, pageIndex } });
    }
    for (const item of outlines) items.push(shifted(item, offset));
    firstPage += pageCount;
  }
  appendOutlines(merged, update, items, (index) => references[index]);
  const unpacked = unpackCarriedEntries(merged, update, lastPages).map((entries, index) => ({
    ...entries,
    pages: pagesOfFiles[index] ?? [],
  }));
  appendDestinations(merged, update, names, references);
  const forms = unpacked.flatMap(({ form, pages }) => (form ? [{ ...form, pages }] : []));
  appendFormResources(merged, update, forms);
  const trees = unpacked.flatMap(({ tree, pages }) => (tree ? [{ root: tree, pages }] : []));
  appendStructures(merged, update, trees);
  if (!analyses.every((analysis) => analysis.isMarked)) withdrawMark(merged, update);
  const allClaims = analyses.map(({ claims }) => claims);
  const isPdfALost = withdrawClaims(merged, update, allClaims).includes('pdfaid');
  const warnings = [...ownWarnings, ...(isPdfALost ? [NO_PDF_A] : [])];
  if (update.size > 0) await appendFile(path, update.build());
  return {
    contentType: 'application/pdf',
    path,
    size: (await stat(path)).size,
    meta: {
      pages: expected,
      ...(unmendedLinks > 0 && { unmendedLinks }),
      ...(warnings.length > 0 && { warnings }),
    },
  };
}

/** Adds `offset` to the page numbers of an outline item and its children, so that they apply to the merged file. */
function shifted(item: OutlineItem, offset: number): OutlineItem {
  const { destination } = item;
  return {
    ...item,
    destination: destination && { ...destination, pageIndex: destination.pageIndex + offset },
    children: item.children.map((child) => shifted(child, offset)),
  };
}
