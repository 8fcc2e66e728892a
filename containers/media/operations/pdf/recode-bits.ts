/** Recodes a one-bit image of a PDF as CCITT Group 4, without loss unless its resolution is reduced. */
import sharp, { type Sharp } from 'sharp';
import type { DrawableImage } from '../../pdf/drawable-image.ts';
import { imageScale, type Level } from '../../pdf/image-scale.ts';
import {
  dictionary,
  name,
  type ObjectSource,
  PdfStream,
  type PdfValue,
} from '../../pdf/objects.ts';
import { oneBitRows, oneBitSize } from '../../pdf/one-bit-image.ts';
import { group4, unpackedBits } from '../image/group4.ts';
import type { Netpbm } from './netpbm.ts';

interface Size {
  width: number;
  height: number;
}

/**
 * Returns the replacement stream, scaled by the factor `scale`. Returns undefined if the stream is not a one-bit image
 * or would not become smaller.
 */
export async function recodedBits(
  source: ObjectSource,
  stream: PdfValue,
  scale = 1,
): Promise<PdfStream | undefined> {
  const size = oneBitSize(source, stream);
  if (!size || !(stream instanceof PdfStream)) return undefined;
  const rows = oneBitRows(source, stream, size);
  if (!rows) return undefined;
  const pixels = pixelsOf(rows, size);
  if (scale === 1) return smaller(stream, pixels, size);
  return reduced(stream, sharp(pixels, rawOf(size)), size, scale);
}

/**
 * Like `recodedBits`, for an image that poppler has decoded. Reduces the image to the resolution that its pages need.
 */
export async function recodedBitsDrawing(
  image: DrawableImage,
  drawn: Netpbm,
  ppi: number,
  level: Level,
): Promise<PdfStream | undefined> {
  const drawing = sharp(pixelsOf(drawn.rows, image), rawOf(image)).negate();
  const recoded = await reduced(image.stream, drawing, image, imageScale(ppi, level, true));
  recoded?.dictionary.set('ColorSpace', name('DeviceGray')).delete('Decode');
  return recoded;
}

const pixelsOf = (rows: Uint8Array, { width, height }: Size): Uint8Array =>
  unpackedBits(rows, width, height, { stride: Math.ceil(width / 8), start: 0 });

const rawOf = ({ width, height }: Size) => ({
  raw: { width, height, channels: 1 as const },
  limitInputPixels: width * height,
});

async function reduced(
  stream: PdfStream,
  pixels: Sharp,
  size: Size,
  scale: number,
): Promise<PdfStream | undefined> {
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  const small = await pixels
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .threshold()
    .toColorspace('b-w')
    .raw()
    .toBuffer();
  return smaller(stream, small, { width, height });
}

/** @param pixels one byte per pixel, 0 or 255 */
async function smaller(
  stream: PdfStream,
  pixels: Uint8Array,
  { width, height }: Size,
): Promise<PdfStream | undefined> {
  const { data, black } = await group4(pixels, width, height);
  if (data.length >= stream.encoded.length) return undefined;
  const parameters = { K: -1, Columns: width, Rows: height, BlackIs1: black === 1 };
  const entries = new Map(stream.dictionary)
    .set('Width', width)
    .set('Height', height)
    .set('Filter', name('CCITTFaxDecode'))
    .set('DecodeParms', dictionary(parameters));
  return new PdfStream(entries, data);
}
