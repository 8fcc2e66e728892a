/** A picture or PDF as pages, each of which becomes a picture that Tesseract reads. */
import { tooLarge } from '../../../../src/core/errors.ts';
import { documentKind } from '../document-kind.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { openPdfPages } from './pdf-pages.ts';
import { openPicturePages } from './picture-pages.ts';

const MAXIMUM_PAGES = 50;

export interface DocumentPages {
  count: number;
  /** What the caller should know beside the text. */
  warnings: string[];
  /**
   * Makes the page, counted from 0, ready for Tesseract: the path of a picture that may be removed. `turned`: upside
   * down.
   */
  prepare(index: number, context: OperationContext, turned?: boolean): Promise<string>;
}

/** Opens a document. Throws ToolError 400 or 413, naming the file. */
export async function openPages(
  file: OperationFile,
  context: OperationContext,
): Promise<DocumentPages> {
  const isPdf = (await documentKind(file.path)) === 'pdf';
  const document = isPdf
    ? await openPdfPages(file, context)
    : await openPicturePages(file, context);
  if (document.count <= MAXIMUM_PAGES) return document;
  throw tooLarge(
    `"${file.name}" has ${document.count} pages; the text of at most ${MAXIMUM_PAGES} is recognised at once. Split it first.`,
    'file',
  );
}
