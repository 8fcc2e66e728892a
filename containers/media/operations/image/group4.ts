/**
 * Encodes one-bit images as CCITT Group 4 (ITU-T T.6), which needs one third to one half as many bytes as FlateDecode,
 * except for dithered images.
 */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { PdfImage } from './pdf-image.ts';

/** TIFF tags (TIFF 6.0, section 8). */
const STRIP_OFFSETS = 273;
const STRIP_BYTE_COUNTS = 279;
const ENTRY_BYTES = 12;
const SHORT = 3;

export interface Group4 {
  data: Uint8Array;
  /** The less frequent bit, which is encoded as black. Group 4 compresses images best if they contain little black. */
  black: 0 | 1;
}

/** @param pixels one byte per pixel, which is 0 for bit 0 and 255 for bit 1 */
export async function group4(pixels: Uint8Array, width: number, height: number): Promise<Group4> {
  const sum = pixels.reduce((count, pixel) => count + (pixel & 1), 0);
  const black = sum * 2 > pixels.length ? 0 : 1;
  const raw = { width, height, channels: 1 as const };
  const image = sharp(pixels, { raw, limitInputPixels: width * height });
  // libtiff encodes zeros as white. A single strip contains all rows.
  const tiff = await (black === 0 ? image.negate() : image)
    .toColorspace('b-w')
    .tiff({ compression: 'ccittfax4', bitdepth: 1, tileHeight: height })
    .toBuffer();
  return { data: onlyStrip(tiff), black };
}

/** Returns the image with `pixels` as its data, encoded as Group 4. */
export async function group4Image<Kind extends { width: number; height: number }>(
  pixels: Uint8Array,
  image: Kind,
): Promise<Kind & Pick<PdfImage, 'filter' | 'decodeParms'> & { data: [Uint8Array] }> {
  const { width, height } = image;
  const { data, black } = await group4(pixels, width, height);
  const decodeParms = `<< /K -1 /Columns ${width} /Rows ${height} /BlackIs1 ${black === 1} >>`;
  return { ...image, filter: 'CCITTFaxDecode', decodeParms, data: [data] };
}

/**
 * Returns the image with `pixels` as its data, encoded as Group 4. Uses Flate instead if that needs less than half the
 * bytes, as for dithered images.
 */
export async function oneBitImage(
  pixels: Uint8Array,
  image: Omit<PdfImage, 'filter' | 'data' | 'decodeParms'>,
): Promise<PdfImage> {
  const packed = await group4Image(pixels, image);
  const data = deflateSync(packedBits(pixels, image.width, image.height), { level: 9 });
  return data.length * 2 < packed.data[0].length
    ? { ...image, filter: 'FlateDecode', data: [data] }
    : packed;
}

/** Packs one byte per pixel into rows of bits, as PDF stores them. */
function packedBits(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const stride = (width + 7) >> 3;
  const rows = new Uint8Array(stride * height);
  for (let y = 0, from = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, from += 1) {
      if (pixels[from]! > 127) rows[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  return rows;
}

/** Unpacks rows of bits into one byte per pixel, as `group4` expects. The highest bit of a byte is its first pixel. */
export function unpackedBits(
  rows: Uint8Array,
  width: number,
  height: number,
  { stride, start }: { stride: number; start: number },
): Uint8Array {
  const pixels = new Uint8Array(width * height);
  for (let y = 0, to = 0; y < height; y += 1) {
    const from = y * stride + start;
    for (let x = 0; x < width; x += 1, to += 1) {
      pixels[to] = ((rows[from + (x >> 3)]! >> (7 - (x & 7))) & 1) * 255;
    }
  }
  return pixels;
}

function onlyStrip(tiff: Buffer): Buffer {
  const directory = tiff.readUInt32LE(4);
  const count = tiff.readUInt16LE(directory);
  const values = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    const at = directory + 2 + index * ENTRY_BYTES;
    const tag = tiff.readUInt16LE(at);
    if (tag !== STRIP_OFFSETS && tag !== STRIP_BYTE_COUNTS) continue;
    if (tiff.readUInt32LE(at + 4) !== 1) throw new Error('libtiff wrote several strips');
    const isShort = tiff.readUInt16LE(at + 2) === SHORT;
    values.set(tag, isShort ? tiff.readUInt16LE(at + 8) : tiff.readUInt32LE(at + 8));
  }
  const start = values.get(STRIP_OFFSETS) ?? 0;
  return tiff.subarray(start, start + (values.get(STRIP_BYTE_COUNTS) ?? 0));
}
