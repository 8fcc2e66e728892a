/**
 * Makes PDFs with images of all kinds for the tests. pdf-lib writes the files, and we encode the image streams
 * ourselves.
 */
import { deflateSync } from 'node:zlib';
import { type PDFDict, PDFDocument, PDFName, type PDFRef, PDFStream } from 'pdf-lib';
import sharp from 'sharp';

/**
 * Returns pixels that resemble a photograph, with soft shapes and grain. The same seed always produces the same pixels.
 */
export async function photograph(width: number, height: number, seed = 1): Promise<Buffer> {
  const shapes = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="hsl(${seed * 40},70%,80%)"/>
    <stop offset="1" stop-color="hsl(${seed * 70},70%,35%)"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/>
    <circle cx="${width / 2}" cy="${height / 3}" r="${width / 5}" fill="#2a6"/></svg>`;
  const { data } = await sharp(Buffer.from(shapes))
    .flatten()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let state = seed;
  for (let index = 0; index < data.length; index += 1) {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    data[index] = Math.max(0, Math.min(255, (data[index] ?? 0) + ((state >> 16) % 17) - 8));
  }
  return data;
}

/** Returns a page of text with 1000 by 1200 gray pixels. */
export function printedPage(): Promise<Buffer> {
  const lines = Array.from({ length: 46 }, (_, line) => {
    const words = Array.from({ length: 14 }, (_, at) => (line * 7919 + at * 104729).toString(36));
    return `<text x="20" y="${40 + line * 25}">${words.join(' ')}</text>`;
  });
  const page = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1200" font-size="20">
    <rect width="100%" height="100%" fill="white"/>${lines.join('')}</svg>`;
  return sharp(Buffer.from(page)).flatten().grayscale().raw().toBuffer();
}

export const jpegOf = (
  pixels: Buffer,
  width: number,
  height: number,
  space: 'srgb' | 'b-w' | 'cmyk' = 'srgb',
): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 3 } })
    .toColorspace(space)
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
    .toBuffer();

export interface Image {
  width: number;
  height: number;
  /** Entries of the image dictionary in addition to Type, Subtype and size. pdf-lib converts strings to names. */
  entries: Record<string, unknown>;
  data: Uint8Array;
}

export async function jpegImage(width: number, height: number, seed = 1): Promise<Image> {
  const data = await jpegOf(await photograph(width, height, seed), width, height);
  return {
    width,
    height,
    data,
    entries: { ColorSpace: 'DeviceRGB', BitsPerComponent: 8, Filter: 'DCTDecode' },
  };
}

/** Compresses samples losslessly. */
export const flateImage = (
  width: number,
  height: number,
  samples: Uint8Array,
  entries: Record<string, unknown>,
): Image => ({
  width,
  height,
  data: deflateSync(samples),
  entries: { BitsPerComponent: 8, Filter: 'FlateDecode', ...entries },
});

export interface ImagePage {
  image: Image;
  /** The width of the image on its page in points. The height follows from the aspect ratio. */
  across: number;
}

/** Makes a PDF of A4 pages with one image and one line of text each. */
export async function imageFile(
  pages: readonly ImagePage[],
  change?: (document: PDFDocument, images: PDFRef[]) => void | Promise<void>,
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle('Pictures');
  const font = await document.embedFont('Helvetica');
  const images: PDFRef[] = [];
  for (const [index, { image, across }] of pages.entries()) {
    const page = document.addPage([595, 842]);
    const embedded = addImage(document, image);
    images.push(embedded);
    page.node.setXObject(PDFName.of('Picture'), embedded);
    const high = (across * image.height) / image.width;
    const draw = `q ${across} 0 0 ${high} 50 100 cm /Picture Do Q`;
    page.drawText(`Words of page ${index + 1}`, { x: 50, y: 800, size: 14, font });
    const marks = document.context.register(document.context.flateStream(draw));
    page.node.addContentStream(marks);
  }
  await change?.(document, images);
  return document.save({ useObjectStreams: false });
}

export function addImage(document: PDFDocument, image: Image): PDFRef {
  const { width, height, entries, data } = image;
  return document.context.register(
    document.context.stream(data, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      ...entries,
    } as Parameters<typeof document.context.stream>[1]),
  );
}

/** Returns the dictionary of an image object, so that a test can change it. */
export const imageDictionary = (document: PDFDocument, embedded: PDFRef): PDFDict =>
  document.context.lookup(embedded, PDFStream).dict;
