/** Opens a PDF that is only read or passed on. */
import { stat } from 'node:fs/promises';
import { PdfDamage } from '../../pdf/objects.ts';
import { miscounts } from '../../pdf/pages.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { normalise, openInput, type PdfInput, readStructure } from './input.ts';

/** A PDF that programs can read. */
export interface FoundPdf {
  /** The upload, or a rewritten copy. */
  path: string;
  /** Whether it was rewritten; there is no second attempt then. */
  normalised: boolean;
}

const found = ({ path, normalised }: PdfInput): FoundPdf => ({ path, normalised });

/** Unchanged, unless programs would find other pages in it than it has. Throws ToolError 400 naming the file. */
export async function openPdf(
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<FoundPdf> {
  const file = onlyFile(files, 'extract_text_ocr');
  const input = await openInput(file, context);
  try {
    if (!miscounts(input.document)) return found(input);
  } catch (error) {
    // Other programs may be able to read what our reader cannot.
    if (error instanceof PdfDamage) return found(input);
    throw error;
  }
  return found(await normalise(file, context));
}

/** Rewrites it, decrypted and repaired. Throws ToolError 400 naming the file. */
export const repairPdf = async (
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<FoundPdf> => found(await normalise(onlyFile(files, 'extract_text_ocr'), context));

/** Unchanged; decrypted or repaired if its structure cannot be read. Throws ToolError 400 naming the file. */
export async function soundPdf(
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  const file = onlyFile(files, 'images_to_pdf');
  let input = await openInput(file, context);
  try {
    readStructure(input.document);
    if (miscounts(input.document)) input = await normalise(file, context);
  } catch (error) {
    if (!(error instanceof PdfDamage)) throw error;
    input = await normalise(file, context);
  }
  const { path } = input;
  const meta = countedPages(input);
  return { contentType: 'application/pdf', path, size: (await stat(path)).size, meta };
}

/** Programs may read the pages of a file whose page tree we cannot. */
function countedPages({ document }: PdfInput): { pages?: number } {
  try {
    return { pages: readStructure(document).pages.list.length };
  } catch (error) {
    if (error instanceof PdfDamage) return {};
    throw error;
  }
}
