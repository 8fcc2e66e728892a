/** A picture or PDF as pages, each of which becomes a picture that Tesseract reads. */
import { open } from 'node:fs/promises';
import { tooLarge } from '../../../../src/core/errors.ts';
import { isPdf } from '../../../../src/lib/magic-bytes.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { openPdfPages } from './pdf-pages.ts';
import { openPicturePages } from './picture-pages.ts';

const MAXIMUM_PAGES = 50;
const HEAD_BYTES = 4096;

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
  const head = await readHead(file.path);
  const document = isPdf(head)
    ? await openPdfPages(file, context)
    : await openPicturePages(file, context);
  if (document.count <= MAXIMUM_PAGES) return document;
  throw tooLarge(
    `"${file.name}" has ${document.count} pages; the text of at most ${MAXIMUM_PAGES} is recognised at once. Split it first.`,
    'file',
  );
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
