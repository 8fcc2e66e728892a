/** Reads the text of the selected pages of a PDF. If poppler cannot read the file, qpdf rewrites it first. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failed } from '../../../../src/core/errors.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import { findHugePage, hasDamagedContent } from '../../pdf/page-content.ts';
import { readPages } from '../../pdf/pages.ts';
import { hasTangledFields } from '../../pdf/tangled-fields.ts';
import { ProgramFailure, ProgramTimeout } from '../../program-failure.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { beyondRepair } from './input.ts';
import { pageByPage, SlowPage, textsInReadingOrder } from './page-texts.ts';
import { qpdf, qpdfRange } from './qpdf.ts';
import type { ReadablePdf } from './readable-pdf.ts';

interface Selection {
  path: string;
  document: PdfDocument | undefined;
  /** The number of each page in the caller's file, from 1. */
  numbers: number[];
  /** The selected pages whose content is damaged. */
  damaged: number[];
}

/**
 * Returns the selected pages as a separate document, unless all are selected. Throws ToolError 422 if a page is too
 * large.
 */
export async function select(
  { path, document, pages }: ReadablePdf,
  numbers: number[],
  context: OperationContext,
): Promise<Selection> {
  let damaged: number[] = [];
  if (document) {
    const all = readPages(document).list;
    const pageOf = (number: number) => all[number - 1]!;
    const huge = findHugePage(document, numbers.map(pageOf));
    if (huge !== undefined) throw slowPage(numbers[huge - 1]!);
    damaged = numbers.filter((number) => hasDamagedContent(document, pageOf(number)));
  }
  if (numbers.length === pages) return { path, document, numbers, damaged };
  const taken = join(context.directory, 'selected.pdf');
  const options = ['--stream-data=preserve', '--remove-unreferenced-resources=no'];
  await qpdf([path, ...options, '--pages', '.', qpdfRange(numbers), '--', taken], context);
  const bytes = await readFile(taken);
  return { path: taken, document: document && new PdfDocument(bytes), numbers, damaged };
}

const slowPage = (page: number) =>
  failed(`Page ${page} takes too long to read. Exclude it with "pages".`);

interface ReadTexts {
  texts: string[];
  path: string;
  document: PdfDocument | undefined;
}

/** Returns the text of each page. If poppler cannot read the file, qpdf rewrites it first. */
export async function textsOf(
  file: OperationFile,
  { path, document, numbers }: Selection,
  context: OperationContext,
): Promise<ReadTexts> {
  const count = numbers.length;
  if (document && hasTangledFields(document)) {
    return textsPageByPage(await withoutForms(document, context), document, numbers, context);
  }
  try {
    return { texts: await textsInReadingOrder(path, count, context), path, document };
  } catch (error) {
    if (error instanceof ProgramTimeout) return textsPageByPage(path, document, numbers, context);
    if (!(error instanceof ProgramFailure)) throw error;
    if (error.lacksMemory) throw tooMuchMemory(file);
  }
  const anew = join(context.directory, 'pages-anew.pdf');
  try {
    const take = ['--stream-data=preserve', '--empty', '--pages', path, '1-z', '--'];
    await qpdf([...take, anew], context);
    const texts = await textsInReadingOrder(anew, count, context);
    return { texts, path: anew, document: new PdfDocument(await readFile(anew)) };
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    throw error.lacksMemory ? tooMuchMemory(file) : beyondRepair(file);
  }
}

/** Reads the pages one by one. If a page takes too long, the error names it. */
async function textsPageByPage(
  path: string,
  document: PdfDocument | undefined,
  numbers: readonly number[],
  context: OperationContext,
): Promise<ReadTexts> {
  try {
    return { texts: await pageByPage(path, numbers.length, context), path, document };
  } catch (error) {
    throw error instanceof SlowPage ? slowPage(numbers[error.page - 1]!) : error;
  }
}

/** Returns the path of a copy without the form dictionary. The pages still show the fields. */
async function withoutForms(document: PdfDocument, context: OperationContext): Promise<string> {
  const { reference, dictionary } = document.catalog;
  const update = new IncrementalUpdate(document);
  const catalog = new Map(dictionary);
  catalog.delete('AcroForm');
  update.set(reference, catalog);
  const path = join(context.directory, 'without-forms.pdf');
  await writeFile(path, [document.bytes, update.build()]);
  return path;
}

const tooMuchMemory = (file: OperationFile) =>
  failed(
    `Reading "${file.name}" exceeds the memory limit. If it has several pages, split it with split_pdf.`,
  );
