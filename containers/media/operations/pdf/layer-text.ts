/** Adds recognised text to a PDF as an invisible layer; a task of document processes. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PdfDocument } from '../../pdf/document.ts';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import { isSigned } from '../../pdf/inventory.ts';
import { PdfDamage } from '../../pdf/objects.ts';
import { readPages } from '../../pdf/pages.ts';
import { addTextLayers, type LayerPage } from '../../pdf/text-layer.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { normalise, openInput } from './input.ts';
import { deflateWell } from './qpdf.ts';

export interface LayeredPdf {
  path: string;
  size: number;
  pages: number;
  /** Whether a signature of the file does not cover the text. */
  isSigned: boolean;
}

/** `layers`: the path of a JSON file, because the words of many pages are too much for a message. */
export async function layerText(
  params: { layers?: string },
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<LayeredPdf> {
  const file = onlyFile(files, 'extract_text_ocr');
  const layers: LayerPage[] = JSON.parse(await readFile(params.layers!, 'utf8'));
  let { document } = await openInput(file, context);
  let pages = pagesOf(document);
  if (!pages) {
    ({ document } = await normalise(file, context));
    pages = readPages(document).list;
  }
  const update = new IncrementalUpdate(document, deflateWell);
  addTextLayers(document, pages, layers, update, deflateWell);
  const path = join(context.directory, 'layered.pdf');
  await writeFile(path, update.size > 0 ? [document.bytes, update.build()] : document.bytes);
  return {
    path,
    size: (await stat(path)).size,
    pages: pages.length,
    isSigned: isSigned(document) && update.size > 0,
  };
}

function pagesOf(document: PdfDocument) {
  try {
    return readPages(document).list;
  } catch (error) {
    if (error instanceof PdfDamage) return undefined;
    throw error;
  }
}
