/** Reads one-bit images and stencils with lossless filters, which can become smaller as CCITT Group 4. */

import { isNamed, type ObjectSource, PdfStream, type PdfValue } from './objects.ts';
import { decodedData, filtersOf, LOSSLESS } from './stream-data.ts';

const MIN_BYTES = 512;
const MAX_PIXELS = 40_000_000;

interface Size {
  width: number;
  height: number;
}

/**
 * Returns the size of a one-bit image. Returns undefined for other values, and for images that are too small or large.
 */
export function oneBitSize(source: ObjectSource, stream: PdfValue): Size | undefined {
  if (!(stream instanceof PdfStream) || stream.encoded.length < MIN_BYTES) return undefined;
  const entry = (key: string) => source.resolve(stream.dictionary.get(key));
  if (!isNamed(entry('Subtype'), 'Image') || stream.dictionary.has('F')) return undefined;
  if (entry('BitsPerComponent') !== 1 && entry('ImageMask') !== true) return undefined;
  const [width, height] = [entry('Width'), entry('Height')];
  if (typeof width !== 'number' || typeof height !== 'number') return undefined;
  if (!(width >= 1 && height >= 1 && width * height <= MAX_PIXELS)) return undefined;
  const filters = filtersOf(source, stream.dictionary);
  return filters?.every(({ name }) => LOSSLESS.has(name)) ? { width, height } : undefined;
}

/** Returns the rows of the image, or undefined if their size does not match, which happens with several components. */
export function oneBitRows(
  source: ObjectSource,
  stream: PdfStream,
  { width, height }: Size,
): Uint8Array | undefined {
  const length = Math.ceil(width / 8) * height;
  const data = decodedData(source, stream, 4 * length + 1024);
  return data && data.length >= length && data.length < 2 * length ? data : undefined;
}
