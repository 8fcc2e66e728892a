/** Adds recognised text to a PDF as an invisible layer; a task of document processes. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import { isSigned } from '../../pdf/inventory.ts';
import { unlessDamaged } from '../../pdf/objects.ts';
import { readPages } from '../../pdf/pages.ts';
import { addTextLayers, type LayerPage } from '../../pdf/text-layer.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { normalise, openInput } from './input.ts';

export interface LayeredPdf {
  path: string;
  size: number;
  pages: number;
  /** Whether the file has a digital signature, which does not cover the added text. */
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
  let pages = unlessDamaged(() => readPages(document).list);
  if (!pages) {
    ({ document } = await normalise(file, context));
    pages = readPages(document).list;
  }
  const update = new IncrementalUpdate(document);
  addTextLayers(document, pages, layers, update);
  const path = join(context.directory, 'layered.pdf');
  await writeFile(path, update.size > 0 ? [document.bytes, update.build()] : document.bytes);
  return {
    path,
    size: (await stat(path)).size,
    pages: pages.length,
    isSigned: isSigned(document) && update.size > 0,
  };
}
