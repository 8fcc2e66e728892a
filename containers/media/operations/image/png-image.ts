/**
 * Embeds a PNG as an image XObject. Copies the compressed rows if PDF supports them. Otherwise, preserves the pixels
 * and the bit depth.
 */
import { deflateSync } from 'node:zlib';
import { withoutPredictor } from '../../png/predictor.ts';
import { group4Image, unpackedBits } from './group4.ts';
import { colorSpaceOf, type PdfImage, predictor } from './pdf-image.ts';
import { filteredRows, type PngFile, packedPixel, readPng } from './png-file.ts';

/**
 * Returns the XObject of a PNG that is not interlaced. Verify first that the bytes decode. Throws Error if the
 * structure of the file is invalid.
 */
export function pngImage(bytes: Uint8Array, profile: Uint8Array | undefined): PdfImage {
  const png = readPng(bytes);
  const { bitDepth, colorType, transparency, palette } = png;
  if (colorType === 4 || colorType === 6) return withAlpha(png, profile);
  const indexed = colorType === 3;
  const image: PdfImage = {
    ...flat(png, colorType === 2 ? 3 : 1),
    colorSpace: colorSpaceOf(colorType === 0 ? 1 : 3, profile, indexed ? palette : undefined),
    data: png.compressed,
  };
  if (!transparency) return image;
  if (indexed) return { ...image, softMask: paletteMask(png, transparency) };
  const keyBytes = colorType === 2 ? 6 : 2;
  // Decoders ignore a tRNS chunk that is too short.
  if (transparency.length < keyBytes) return image;
  const key = transparency.subarray(0, keyBytes);
  // Poppler and Ghostscript compare only 8 of the 16 bits with a color key, so they would display transparent pixels. A
  // soft mask avoids this.
  if (bitDepth === 16) return { ...image, softMask: deepColorMask(png, key) };
  return { ...image, colorKey: colorKey(key) };
}

/**
 * Encodes a one-bit image as CCITT Group 4 if that is smaller. Returns other images unchanged. `bytes` is the PNG file.
 */
export async function withGroup4(image: PdfImage, bytes: Uint8Array): Promise<PdfImage> {
  if (image.bitsPerComponent !== 1) return image;
  const { rows, stride } = samplesOf(readPng(bytes), 1);
  const pixels = unpackedBits(rows, image.width, image.height, { stride, start: 0 });
  const packed = await group4Image(pixels, image);
  const size = image.data.reduce((sum, piece) => sum + piece.length, 0);
  return packed.data[0].length < size ? packed : image;
}

/** Returns the rows with their filters undone. */
function samplesOf(png: PngFile, bitsPerPixel: number) {
  const filtered = filteredRows(png);
  const stride = filtered.length / png.height - 1;
  const rows = withoutPredictor(filtered, stride, Math.max(1, bitsPerPixel >> 3));
  return { rows, stride };
}

const flat = ({ width, height, bitDepth }: PngFile, colors: number) => ({
  width,
  height,
  bitsPerComponent: bitDepth,
  filter: 'FlateDecode' as const,
  decodeParms: predictor(colors, bitDepth, width),
});

/** Returns the transparent color as a range of one value per component. */
function colorKey(transparency: Uint8Array): number[] {
  const view = new DataView(transparency.buffer, transparency.byteOffset, transparency.byteLength);
  const range: number[] = [];
  for (let at = 0; at + 2 <= view.byteLength; at += 2)
    range.push(view.getUint16(at), view.getUint16(at));
  return range;
}

/**
 * Separates colors and alpha into two images. A PNG filter predicts each byte from the same byte of neighboring pixels,
 * so the filtered bytes can be separated without decoding.
 */
function withAlpha(png: PngFile, profile: Uint8Array | undefined): PdfImage {
  const { width, height, bitDepth, colorType } = png;
  const colors = colorType === 6 ? 3 : 1;
  const alphaBytes = bitDepth >> 3;
  const colorBytes = colors * alphaBytes;
  const rows = filteredRows(png);
  const color = Buffer.alloc(height * (1 + width * colorBytes));
  const alpha = Buffer.alloc(height * (1 + width * alphaBytes));
  let [at, toColor, toAlpha] = [0, 0, 0];
  for (let row = 0; row < height; row += 1) {
    const filter = rows[at++] ?? 0;
    color[toColor++] = filter;
    alpha[toAlpha++] = filter;
    for (let column = 0; column < width; column += 1) {
      for (let byte = 0; byte < colorBytes; byte += 1) color[toColor++] = rows[at++] ?? 0;
      for (let byte = 0; byte < alphaBytes; byte += 1) alpha[toAlpha++] = rows[at++] ?? 0;
    }
  }
  return {
    ...flat(png, colors),
    colorSpace: colorSpaceOf(colors, profile),
    data: [deflateSync(color)],
    softMask: { ...flat(png, 1), colorSpace: { components: 1 }, data: [deflateSync(alpha)] },
  };
}

/** Returns a soft mask for an image with 16 bits per component and one transparent color. */
function deepColorMask(png: PngFile, key: Uint8Array): PdfImage {
  const { rows, stride } = samplesOf(png, key.length * 8);
  return mask(png, (row, column) => {
    const at = row * stride + column * key.length;
    return key.every((byte, index) => byte === rows[at + index]) ? 0 : 255;
  });
}

/** Returns a soft mask for an indexed image with transparent palette entries. */
function paletteMask(png: PngFile, transparency: Uint8Array): PdfImage {
  const { rows, stride } = samplesOf(png, png.bitDepth);
  return mask(png, (row, column) => {
    const index = packedPixel(rows, row * stride, column, png.bitDepth);
    return transparency[index] ?? 255;
  });
}

/** Makes an eight-bit soft mask from the alpha of each pixel. */
function mask(png: PngFile, alphaAt: (row: number, column: number) => number): PdfImage {
  const { width, height } = png;
  const alpha = Buffer.alloc(height * (1 + width));
  for (let row = 0; row < height; row += 1) {
    const to = row * (1 + width) + 1;
    for (let column = 0; column < width; column += 1) alpha[to + column] = alphaAt(row, column);
  }
  return {
    ...flat({ ...png, bitDepth: 8 }, 1),
    colorSpace: { components: 1 },
    data: [deflateSync(alpha)],
  };
}
