/** Opens a PDF for operations that only read it or return it. */
import { stat } from 'node:fs/promises';
import { unlessDamaged } from '../../pdf/objects.ts';
import { miscounts, readPages } from '../../pdf/pages.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { normalize, openInput, orByQpdf, type PdfInput } from './input.ts';
import { pagesOnly } from './pages-only.ts';

/** A PDF that other programs can read. */
export interface FoundPdf {
  /** The path of the upload or of a rewritten copy. */
  path: string;
  /** Whether the file was rewritten. */
  normalized: boolean;
}

const found = ({ path, normalized }: PdfInput): FoundPdf => ({ path, normalized });

/**
 * Returns the file unchanged, or a rewritten copy if the file is encrypted or damaged, or if other programs and our
 * reader would find different pages in it. Throws ToolError 400 or 422 naming the file.
 */
export async function openPdf(
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<FoundPdf> {
  const file = onlyFile(files, 'extract_text_ocr');
  return orByQpdf(openCounted(file, context), byQpdf);
}

async function openCounted(file: OperationFile, context: OperationContext): Promise<FoundPdf> {
  const input = await openInput(file, context);
  // Other programs may be able to read a file that our reader cannot.
  const isMiscounted = unlessDamaged(() => miscounts(input.document)) ?? false;
  return found(isMiscounted ? await normalize(file, context) : input);
}

const byQpdf = async (path: string): Promise<FoundPdf> => ({ path, normalized: true });

/** Decrypts, repairs and rewrites the file. Throws ToolError 400 or 422 naming it. */
export const repairPdf = async (
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<FoundPdf> =>
  orByQpdf(normalize(onlyFile(files, 'extract_text_ocr'), context).then(found), byQpdf);

/**
 * Returns the file unchanged, or a rewritten copy if it is encrypted or damaged, or declares a wrong number of pages.
 * If only qpdf can read the pages, returns a copy of the pages. Throws ToolError 400 or 422 naming the file.
 */
export async function soundPdf(
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  const file = onlyFile(files, 'images_to_pdf');
  return orByQpdf(openSound(file, context), (path) => pagesOnly([path], context));
}

async function openSound(file: OperationFile, context: OperationContext): Promise<StoredResult> {
  const opened = await openInput(file, context);
  const isMiscounted = unlessDamaged(() => miscounts(opened.document)) ?? true;
  const { path, document } = isMiscounted ? await normalize(file, context) : opened;
  // If our reader cannot read the page tree, other programs may still be able to read the pages.
  const pages = unlessDamaged(() => readPages(document).list.length);
  const meta = pages === undefined ? {} : { pages };
  return { contentType: 'application/pdf', path, size: (await stat(path)).size, meta };
}
