/** Losslessly recodes a one-bit image of a PDF as CCITT Group 4. */
import sharp from 'sharp';
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

/** Returns the replacement stream, or undefined if the stream is not a one-bit image or would not become smaller. */
export async function recodedBits(
  source: ObjectSource,
  stream: PdfValue,
): Promise<PdfStream | undefined> {
  const size = oneBitSize(source, stream);
  if (!size || !(stream instanceof PdfStream)) return undefined;
  const rows = oneBitRows(source, stream, size);
  if (!rows) return undefined;
  const { width, height } = size;
  const stride = Math.ceil(width / 8);
  const pixels = unpackedBits(rows, width, height, { stride, start: 0 });
  return smaller(stream, pixels, size);
}

/**
 * Like `recodedBits`, for an image that poppler has decoded. Also reduces the image to the resolution that its pages
 * need.
 */
export async function recodedBitsDrawing(
  image: DrawableImage,
  drawn: Netpbm,
  ppi: number,
  level: Level,
): Promise<PdfStream | undefined> {
  const scale = imageScale(ppi, level, true);
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const stride = Math.ceil(image.width / 8);
  const raw = { width: image.width, height: image.height, channels: 1 as const };
  const bits = unpackedBits(drawn.rows, raw.width, raw.height, { stride, start: 0 });
  const pixels = await sharp(bits, { raw, limitInputPixels: raw.width * raw.height })
    .negate()
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .threshold()
    .toColorspace('b-w')
    .raw()
    .toBuffer();
  const recoded = await smaller(image.stream, pixels, { width, height });
  recoded?.dictionary.set('ColorSpace', name('DeviceGray')).delete('Decode');
  return recoded;
}

/** @param pixels one byte per pixel, 0 or 255 */
async function smaller(
  stream: PdfStream,
  pixels: Uint8Array,
  { width, height }: Pick<DrawableImage, 'width' | 'height'>,
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
