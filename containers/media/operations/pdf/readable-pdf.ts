/** Opens a PDF to read its text. */
import { badRequest } from '../../../../src/core/errors.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { unlessDamaged } from '../../pdf/objects.ts';
import { readPages } from '../../pdf/pages.ts';
import { ProgramFailure } from '../../program-failure.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { normalize, openInput, orByQpdf, type PdfInput } from './input.ts';
import { countPagesByQpdf } from './pages-only.ts';
import { qpdf } from './qpdf.ts';

/** Exit codes of qpdf's --is-encrypted. */
const ENCRYPTED = 0;
const NOT_ENCRYPTED = 2;

export interface ReadablePdf {
  path: string;
  /** Undefined if our reader cannot read the file. */
  document: PdfDocument | undefined;
  pages: number;
}

/**
 * Opens a PDF and counts its pages. Throws ToolError 400 if it is encrypted or cannot be read, and 422 if its repair
 * takes too long.
 */
export const openReadable = (
  file: OperationFile,
  context: OperationContext,
): Promise<ReadablePdf> =>
  orByQpdf(openUnencrypted(file, context), async (path) => {
    if (await isEncrypted(file, context)) throw encrypted(file);
    const pages = await countPagesByQpdf(path, context);
    return pages ? { path, document: undefined, pages } : undefined;
  });

const encrypted = ({ name }: OperationFile) =>
  badRequest(`"${name}" is encrypted. Remove the protection and send it again.`, 'file');

async function openUnencrypted(
  file: OperationFile,
  context: OperationContext,
): Promise<ReadablePdf> {
  const input = await openInput(file, context);
  if (input.normalized && (await isEncrypted(file, context))) {
    throw encrypted(file);
  }
  const counted = ({ path, document }: PdfInput) => {
    return { path, document, pages: readPages(document).list.length };
  };
  return unlessDamaged(() => counted(input)) ?? counted(await normalize(file, context));
}

async function isEncrypted(file: OperationFile, context: OperationContext): Promise<boolean> {
  const okExitCodes = [ENCRYPTED, NOT_ENCRYPTED];
  try {
    const { exitCode } = await qpdf(['--is-encrypted', file.path], context, okExitCodes);
    return exitCode === ENCRYPTED;
  } catch (error) {
    // qpdf cannot determine whether a badly damaged file is encrypted. In that case, the repaired copy is not
    // encrypted.
    if (error instanceof ProgramFailure) return false;
    throw error;
  }
}
