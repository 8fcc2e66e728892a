/** The task of images_to_pdf: pictures put on pages, JPEG and PNG as they are, all others as PNG. */
import type { OperationFile } from '../operation.ts';
import { jpegImage } from './jpeg-image.ts';
import { openPicture, type Picture, read } from './open-picture.ts';
import type { PdfImage } from './pdf-image.ts';
import { type PageLayout, PictureDocument } from './picture-document.ts';
import { pngImage } from './png-image.ts';

export interface EmbedTask {
  files: OperationFile[];
  /** Where the PDF is to be written. */
  output: string;
  layout: PageLayout;
}

export interface Embedded {
  warnings: string[];
}

export async function embedPictures({ files, output, layout }: EmbedTask): Promise<Embedded> {
  const warnings: string[] = [];
  const document = await PictureDocument.create(output, layout);
  for (const file of files) {
    const picture = await openPicture(file);
    const { metadata, name } = picture;
    const asItIs = await untouched(picture);
    if (asItIs) await document.addPage(asItIs, metadata.orientation ?? 1);
    else await document.addPage(await reencoded(picture), 1);
    if ((metadata.pages ?? 1) > 1) {
      warnings.push(
        `"${name}" has ${metadata.pages} pages or frames; only the first is in the PDF.`,
      );
    }
  }
  await document.finish();
  return { warnings };
}

/** A JPEG or PNG with its own bytes, once they are known to decode to their end; null where that cannot be. */
async function untouched(picture: Picture): Promise<PdfImage | null> {
  const { kind, bytes, metadata, name } = picture;
  if (kind !== 'jpeg' && kind !== 'png') return null;
  await read(name, () => picture.open().resize(1, 1, { fit: 'fill' }).raw().toBuffer());
  if (kind === 'jpeg') return jpegImage(bytes, metadata.icc);
  return read(name, async () => pngImage(bytes, metadata.icc));
}

/** All others: upright, in sRGB. */
async function reencoded(picture: Picture): Promise<PdfImage> {
  const png = await read(picture.name, () =>
    picture.open().png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer(),
  );
  return pngImage(png, undefined);
}
