/** A PDF of many objects: slow work for qpdf, in a file that is sent in no time. */
import { PDFDocument, PDFName } from 'pdf-lib';

export async function makeSlowPdf(): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  const page = document.addPage([100, 100]);
  const list = document.context.obj([]);
  for (let index = 0; index < 300_000; index += 1) {
    list.push(document.context.register(document.context.obj([index])));
  }
  page.node.set(PDFName.of('PieceInfo'), document.context.register(list));
  return (await document.save({ useObjectStreams: true })) as Uint8Array<ArrayBuffer>;
}
