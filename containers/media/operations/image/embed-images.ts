/** The task of images_to_pdf: places images on pages, JPEG and PNG unchanged, all others as PNG. */
import type { OperationFile } from '../operation.ts';
import { ImageDocument, type PageLayout } from './image-document.ts';
import { jpegImage } from './jpeg-image.ts';
import { type Image, openImage, read } from './open-image.ts';
import type { PdfImage } from './pdf-image.ts';
import { pngImage } from './png-image.ts';

export interface EmbedTask {
  files: OperationFile[];
  /** The path of the PDF. */
  output: string;
  layout: PageLayout;
}

export interface Embedded {
  warnings: string[];
}

export async function embedImages({ files, output, layout }: EmbedTask): Promise<Embedded> {
  const warnings: string[] = [];
  const document = await ImageDocument.create(output, layout);
  for (const file of files) {
    const image = await openImage(file);
    const { metadata, name } = image;
    const asItIs = await untouched(image);
    if (asItIs) await document.addPage(asItIs, metadata.orientation ?? 1);
    else await document.addPage(await reencoded(image), 1);
    if ((metadata.pages ?? 1) > 1) {
      warnings.push(
        `"${name}" has ${metadata.pages} pages or frames; only the first is in the PDF.`,
      );
    }
  }
  await document.finish();
  return { warnings };
}

/** Embeds a JPEG or PNG with its own bytes after checking that it decodes completely; null if that is impossible. */
async function untouched(image: Image): Promise<PdfImage | null> {
  const { kind, bytes, metadata, name } = image;
  if (kind !== 'jpeg' && kind !== 'png') return null;
  await read(name, () => image.open().resize(1, 1, { fit: 'fill' }).raw().toBuffer());
  if (kind === 'jpeg') return jpegImage(bytes, metadata.icc);
  return read(name, async () => pngImage(bytes, metadata.icc));
}

/** Re-encodes other images in sRGB with their orientation applied. */
async function reencoded(image: Image): Promise<PdfImage> {
  const png = await read(image.name, () =>
    image.open().png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer(),
  );
  return pngImage(png, undefined);
}
