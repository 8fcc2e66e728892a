/**
 * Detects images in formats that we cannot decode, such as JPEG 2000. Such images can be replaced with poppler's
 * rendering.
 */
import type { PdfDocument } from './document.ts';
import { imageScale, type Level } from './image-scale.ts';
import type { ObjectSource, PdfReference, PdfValue } from './objects.ts';
import { channelsOf, MAX_RAW_PIXELS, type OpaqueImage, opaqueImage } from './recodable-image.ts';
import { filtersOf } from './stream-data.ts';

/** The minimum size of an image in bytes. Recoding smaller images saves little. */
const MIN_BYTES = 4096;
const LOSSY = new Set(['DCTDecode', 'JPXDecode']);
const ONE_BIT = new Set(['CCITTFaxDecode', 'JBIG2Decode']);

export interface DrawableImage extends OpaqueImage {
  /** 1 for gray, or 3 for any other color space. */
  channels: 1 | 3;
  isLossy: boolean;
  /** The number of colors in an indexed image, or undefined for other images. */
  colors: number | undefined;
}

/**
 * Returns undefined for an image that would not become smaller or must not be converted to RGB. Images are not
 * converted if there is an output intent, because device colors are then colors of the intended device. `ppi` has the
 * same meaning as for `recodedImage`.
 */
export function drawableImage(
  document: PdfDocument,
  reference: PdfReference,
  ppi: number,
  level: Level,
): DrawableImage | undefined {
  const image = opaqueImage(document, reference);
  if (!image || image.stream.encoded.length < MIN_BYTES) return undefined;
  if (image.width * image.height > MAX_RAW_PIXELS) return undefined;
  if (document.catalog.dictionary.has('OutputIntents')) return undefined;
  const { dictionary } = image.stream;
  const last = filtersOf(document, dictionary)?.at(-1);
  if (!last) return undefined;
  const isLossy = LOSSY.has(last.name);
  const isOneBit =
    ONE_BIT.has(last.name) || document.resolve(dictionary.get('BitsPerComponent')) === 1;
  const space = dictionary.get('ColorSpace');
  const channels = channelsOf(document, space) ?? 3;
  const colors = colorsOf(document, document.array(space));
  if (isOneBit && channels !== 1) return undefined;
  const group =
    last.name === 'CCITTFaxDecode' ? (document.number(last.parameters?.get('K')) ?? 0) : -1;
  const isOldFax = group >= 0;
  const shrinks = isLossy || isOldFax || imageScale(ppi, level, isOneBit) < 1;
  return shrinks ? { ...image, channels, isLossy, colors } : undefined;
}

/** Returns the number of colors, or undefined if the color space is not Indexed. */
function colorsOf(source: ObjectSource, space: PdfValue[] | undefined): number | undefined {
  if (!source.isNamed(space?.[0], 'Indexed')) return undefined;
  return (source.number(space?.[2]) ?? 255) + 1;
}
