/** The task of images_to_pdf: places images on pages, JPEG and PNG unchanged, others as PNG, all pages of a TIFF. */
import type { Metadata } from 'sharp';
import type { OperationFile } from '../operation.ts';
import { group4Image } from './group4.ts';
import { ImageDocument, type PageLayout } from './image-document.ts';
import { jpegImage } from './jpeg-image.ts';
import { checkPage, type Image, openImage, read } from './open-image.ts';
import { deinterlacedPng } from './optimise-png.ts';
import type { ColourSpace, PdfImage } from './pdf-image.ts';
import { pngImage, withGroup4 } from './png-image.ts';

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
    if (asItIs) await document.addPage(asItIs, metadata.orientation ?? 1, metadata.density);
    else await document.addPage(await reencoded(image, 0, metadata), 1, metadata.density);
    const { pages = 1 } = metadata;
    if (image.kind === 'tiff') {
      for (let page = 1; page < pages; page += 1) {
        const found = await checkPage(image, page);
        await document.addPage(await reencoded(image, page, found), 1, metadata.density);
      }
    } else if (pages > 1) {
      warnings.push(`"${name}" has ${pages} frames; the PDF contains only the first.`);
    }
  }
  await document.finish();
  return { warnings };
}

/**
 * Embeds a JPEG or PNG with its own bytes, or at least its own samples, after checking that it decodes completely; null
 * if that is impossible.
 */
async function untouched(image: Image): Promise<PdfImage | null> {
  const { kind, bytes, metadata, name } = image;
  if (kind !== 'jpeg' && kind !== 'png') return null;
  await read(name, () => image.open().resize(1, 1, { fit: 'fill' }).raw().toBuffer());
  if (kind === 'jpeg') return jpegImage(bytes, metadata.icc);
  const { width, height, isProgressive, icc } = metadata;
  const png = isProgressive ? await deinterlacedPng(bytes, width * height) : bytes;
  return png ? read(name, async () => withGroup4(pngImage(png, icc), png)) : null;
}

/** Re-encodes a page in sRGB with its orientation applied. A page of one-bit samples becomes Group 4. */
async function reencoded(image: Image, page: number, metadata: Metadata): Promise<PdfImage> {
  const options = page > 0 ? { page } : {};
  if (metadata.bitsPerSample === 1 && metadata.channels === 1) {
    const samples = image.open(options).toColourspace('b-w').raw();
    const { data, info } = await read(image.name, () =>
      samples.toBuffer({ resolveWithObject: true }),
    );
    const { width, height } = info;
    const colourSpace: ColourSpace = { components: 1 };
    return group4Image(data, { width, height, bitsPerComponent: 1, colourSpace });
  }
  const png = await read(image.name, () =>
    image.open(options).png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer(),
  );
  return pngImage(png, undefined);
}
