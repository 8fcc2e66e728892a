/** A PDF for those who do no more than to read or to pass it on. */
import { stat } from 'node:fs/promises';
import { PdfDamage } from '../../../../src/pdf/objects.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { normalise, openInput, type PdfInput, readStructure } from './input.ts';

/** A PDF that programs can read. */
export interface FoundPdf {
  /** The upload, or what was made of it. */
  path: string;
  /** Whether it was rewritten: there is no second attempt then. */
  normalised: boolean;
}

const found = ({ path, normalised }: PdfInput): FoundPdf => ({ path, normalised });

/** Looks at no more than its first structures. Throws ToolError 400, naming the file. */
export const openPdf = async (
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<FoundPdf> => found(await openInput(onlyFile(files, 'extract_text_ocr'), context));

/** Rewrites it, decrypted and repaired. Throws ToolError 400, naming the file. */
export const repairPdf = async (
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<FoundPdf> => found(await normalise(onlyFile(files, 'extract_text_ocr'), context));

/** As it is; decrypted or repaired where its structure cannot be read. Throws ToolError 400, naming the file. */
export async function soundPdf(
  _params: unknown,
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<StoredResult> {
  const file = onlyFile(files, 'images_to_pdf');
  let input = await openInput(file, context);
  try {
    readStructure(input.document);
  } catch (error) {
    if (!(error instanceof PdfDamage)) throw error;
    input = await normalise(file, context);
  }
  const { path } = input;
  return { contentType: 'application/pdf', path, size: (await stat(path)).size, meta: {} };
}
