/** Opens an image or PDF for OCR, page by page. */
import { tooLarge } from '../../../../src/core/errors.ts';
import { documentKind } from '../document-kind.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { DocumentPages } from './document-pages.ts';
import { openImagePages } from './image-pages.ts';
import { openPdfPages } from './pdf-pages.ts';

/** The maximum number of pages that one call recognizes. */
export const MAX_OCR_PAGES = 50;

/** Opens an image or PDF. Throws ToolError 400, 413 or 422 naming the file. */
export async function openPages(
  file: OperationFile,
  context: OperationContext,
): Promise<DocumentPages> {
  const isPdf = (await documentKind(file.path)) === 'pdf';
  const document = isPdf ? await openPdfPages(file, context) : await openImagePages(file, context);
  if (document.count <= MAX_OCR_PAGES) return document;
  throw tooLarge(
    `"${file.name}" has ${document.count} pages. OCR is limited to ${MAX_OCR_PAGES} pages per call, so split it first.`,
    'file',
  );
}
