/** Adds recognized text to a PDF as an invisible layer. This is one of the tasks of document processes. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blankDocument } from '../../pdf/blank-document.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import { isSigned } from '../../pdf/inventory.ts';
import { unlessDamaged } from '../../pdf/objects.ts';
import { readPages } from '../../pdf/pages.ts';
import { addTextLayers, type LayerPage } from '../../pdf/text-layer.ts';
import { onlyFile } from '../only-file.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { normalize, openInput, orByQpdf, ReadByQpdfOnly } from './input.ts';
import { pageShapes } from './page-shapes.ts';
import { countPagesByQpdf } from './pages-only.ts';
import { qpdf } from './qpdf.ts';

export interface LayeredPdf {
  path: string;
  size: number;
  pages: number;
  /**
   * Whether text was added to a file with a digital signature, which does not cover that text. False for a file that
   * only qpdf can read.
   */
  isSigned: boolean;
}

/** Adds the layers. `layers` is the path of a JSON file, because the words of many pages do not fit into a message. */
export async function layerText(
  params: { layers?: string },
  files: readonly OperationFile[],
  context: OperationContext,
): Promise<LayeredPdf> {
  const file = onlyFile(files, 'extract_text_ocr');
  const layers: LayerPage[] = JSON.parse(await readFile(params.layers!, 'utf8'));
  return orByQpdf(layered(file, layers, context), (path) => underlaid(path, layers, context));
}

async function layered(
  file: OperationFile,
  layers: readonly LayerPage[],
  context: OperationContext,
): Promise<LayeredPdf> {
  const path = join(context.directory, 'layered.pdf');
  const input = await openInput(file, context);
  const asItIs = unlessDamaged(() => withLayers(input.document, layers));
  const sound = asItIs ? undefined : await normalize(file, context);
  const made = asItIs ?? unlessDamaged(() => sound && withLayers(sound.document, layers));
  if (!made) throw new ReadByQpdfOnly(file, sound?.path ?? file.path);
  const { bytes, added, pages } = made;
  await writeFile(path, [bytes, added]);
  const size = bytes.length + added.length;
  return { path, size, pages, isSigned: made.isSigned && added.length > 0 };
}

/** Returns the document with an incremental update that contains the text. Throws PdfDamage. */
function withLayers(document: PdfDocument, layers: readonly LayerPage[]) {
  const pages = readPages(document).list;
  const update = new IncrementalUpdate(document);
  addTextLayers(document, pages, layers, update);
  return {
    bytes: document.bytes,
    added: update.size > 0 ? update.build() : new Uint8Array(),
    pages: pages.length,
    isSigned: isSigned(document),
  };
}

/**
 * Adds the text to a file that only qpdf can read. qpdf places pages that contain only the text beneath the file's
 * pages.
 */
async function underlaid(
  path: string,
  layers: readonly LayerPage[],
  context: OperationContext,
): Promise<LayeredPdf | undefined> {
  const count = await countPagesByQpdf(path, context);
  const shapes = count && (await pageShapes(path, count, context));
  if (!shapes) return undefined;
  const blank = new PdfDocument(blankDocument(shapes));
  const { bytes, added } = withLayers(blank, layers);
  const text = join(context.directory, 'text.pdf');
  await writeFile(text, [bytes, added]);
  const made = join(context.directory, 'layered.pdf');
  await qpdf(['--stream-data=preserve', path, '--underlay', text, '--', made], context);
  return { path: made, size: (await stat(made)).size, pages: count, isSigned: false };
}
