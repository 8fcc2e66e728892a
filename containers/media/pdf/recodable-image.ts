/** Decides which images of a document can be recoded without changing their appearance (ISO 32000-1, section 8.9.5). */
import { MAX_IMAGE_PIXELS } from '../../../src/core/limits.ts';
import type { PdfDocument } from './document.ts';
import { imageScale, type Level } from './image-scale.ts';
import {
  type ObjectSource,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  type PdfValue,
  unlessDamaged,
} from './objects.ts';
import { decodedStream, type FilterStep, filtersOf, LOSSLESS, opened } from './stream-data.ts';

/** The maximum number of pixels in an image whose decoded pixels are held in memory. */
export const MAX_RAW_PIXELS = 40_000_000;

/**
 * The minimum size, in bytes, of a lossless image that becomes a JPEG of the same resolution. Smaller photos save
 * little.
 */
const MIN_PHOTO_BYTES = 16 * 1024;

export interface RecodableImage extends OpaqueImage {
  /** A JPEG file, or rows of samples with or without a PNG predictor. Lossless filters may be applied to either. */
  encoding: 'jpeg' | 'rows';
  /** Whether each row starts with a PNG filter byte. */
  hasPredictor: boolean;
  /** 1 for gray or 3 for RGB, with one byte per sample. */
  channels: 1 | 3;
}

/** An image in any format whose samples alone determine the colors of its pixels. */
export interface OpaqueImage {
  stream: PdfStream;
  width: number;
  height: number;
}

/**
 * Returns undefined for stencils, and for images with color keys, mattes, alternate images, or data outside the file. A
 * matte without effect is allowed, but has to be removed if the image is resized. With `allowsMatte`, any matte is
 * allowed.
 */
export function opaqueImage(
  document: PdfDocument,
  reference: PdfReference,
  allowsMatte = false,
): OpaqueImage | undefined {
  const stream = document.resolve(reference);
  if (!(stream instanceof PdfStream)) return undefined;
  const { dictionary } = stream;
  if (!document.isNamed(dictionary.get('Subtype'), 'Image')) return undefined;
  if (document.resolve(dictionary.get('ImageMask')) === true) return undefined;
  for (const key of ['Matte', 'Alternates', 'OPI', 'F', 'SMaskInData']) {
    if (key === 'Matte' && allowsMatte) continue;
    if (document.resolve(dictionary.get(key)) !== null) return undefined;
  }
  if (document.array(dictionary.get('Mask'))) return undefined;
  const mask = document.resolve(dictionary.get('SMask'));
  const width = document.resolve(dictionary.get('Width'));
  const height = document.resolve(dictionary.get('Height'));
  if (!isSize(width) || !isSize(height)) return undefined;
  const hasMatte = mask instanceof PdfStream && document.resolve(mask.dictionary.get('Matte'));
  const isAllowed = !hasMatte || allowsMatte || hidesNothing(document, mask);
  return isAllowed ? { stream, width, height } : undefined;
}

/** Whether all samples of a soft mask are white. */
function hidesNothing(document: PdfDocument, mask: PdfStream): boolean {
  const entry = (key: string) => document.resolve(mask.dictionary.get(key));
  const [width, height] = [entry('Width'), entry('Height')];
  if (!isSize(width) || !isSize(height) || width * height > MAX_RAW_PIXELS) return false;
  if (entry('Decode') !== null || entry('BitsPerComponent') !== 8) return false;
  const filters = filtersOf(document, mask.dictionary);
  if (!filters?.every(({ name }) => LOSSLESS.has(name))) return false;
  return unlessDamaged(() => areWhite(document, mask, width, height)) ?? false;
}

function areWhite(document: PdfDocument, mask: PdfStream, width: number, height: number): boolean {
  const limit = (width + 1) * height + 1024;
  const { data, predicted } = opened(document, mask, limit);
  // With a TIFF predictor, as Photoshop writes it, each sample is the difference from the previous one.
  const areDifferences = document.resolve(predicted?.get('Predictor')) === 2;
  const samples = areDifferences ? data : decodedStream(document, mask, limit);
  const isWhite = (sample: number, at: number) =>
    sample === (areDifferences && at % width > 0 ? 0 : 0xff);
  return samples.length >= width * height && samples.subarray(0, width * height).every(isWhite);
}

/**
 * Returns the image if its samples are 8-bit gray or RGB, encoded as JPEG or losslessly, and displayed without mapping.
 * Returns undefined for images that are too large, and for other images, because they might look different when
 * rewritten. Examples are CMYK, indexed, one-bit, JPEG 2000, CCITT and JBIG2 images, and images whose samples are
 * mapped by a Decode array. With `allowsMatte`, a matte and a Decode array are allowed.
 */
export function recodableImage(
  document: PdfDocument,
  reference: PdfReference,
  allowsMatte = false,
): RecodableImage | undefined {
  const image = opaqueImage(document, reference, allowsMatte);
  if (!image) return undefined;
  const { stream, width, height } = image;
  const { dictionary } = stream;
  // Decode maps samples linearly, so the mean of mapped samples is the mapped mean. An image with a matte may have a
  // Decode array, because the image is only reduced.
  if (!allowsMatte && document.resolve(dictionary.get('Decode')) !== null) return undefined;
  if (document.resolve(dictionary.get('BitsPerComponent')) !== 8) return undefined;
  const channels = channelsOf(document, dictionary.get('ColorSpace'));
  if (!channels) return undefined;
  const filters = filtersOf(document, dictionary);
  const encoding = filters && encodingOf(filters);
  if (!encoding) return undefined;
  const most = encoding === 'jpeg' ? MAX_IMAGE_PIXELS : MAX_RAW_PIXELS;
  if (width * height > most) return undefined;
  if (encoding === 'jpeg')
    return { stream, encoding, hasPredictor: false, width, height, channels };
  const predictor = predictorOf(document, filters.at(-1)?.parameters, width, channels);
  if (predictor === undefined) return undefined;
  return { stream, encoding, hasPredictor: predictor, width, height, channels };
}

export interface MattedImage {
  image: RecodableImage;
  mask: RecodableImage;
  maskReference: PdfReference;
}

/**
 * Returns an image whose colors have been blended with the matte of its soft mask (section 11.6.5.3), which requires
 * that both have the same size. The mean of blended pixels is the blended mean, so both can be reduced together.
 */
export function mattedImage(
  document: PdfDocument,
  reference: PdfReference,
): MattedImage | undefined {
  const image = recodableImage(document, reference, true);
  const maskReference = image?.stream.dictionary.get('SMask');
  if (!image || !(maskReference instanceof PdfReference)) return undefined;
  const mask = recodableImage(document, maskReference, true);
  const hasSize = mask?.width === image.width && mask.height === image.height;
  return mask && hasSize && mask.channels === 1 ? { image, mask, maskReference } : undefined;
}

/** Whether a lossless image is large enough to become a JPEG of the same resolution if it is a photo. */
export const mayBePhoto = ({ encoding, stream }: RecodableImage): boolean =>
  encoding === 'rows' && stream.encoded.length >= MIN_PHOTO_BYTES;

/**
 * Whether the image may be a lossless photo, or whether the image or its soft mask is a JPEG or is shown at a
 * resolution high enough to be reduced. An image with a matte must be shown at such a resolution.
 */
export function isWorthRecoding(
  document: PdfDocument,
  reference: PdfReference,
  ppi: number,
  level: Level,
): boolean {
  const image = recodableImage(document, reference);
  if (!image) return imageScale(ppi, level) < 1 && mattedImage(document, reference) !== undefined;
  if (image.encoding === 'jpeg' || mayBePhoto(image) || imageScale(ppi, level) < 1) return true;
  const mask = image.stream.dictionary.get('SMask');
  const soft = mask instanceof PdfReference && recodableImage(document, mask);
  if (!soft) return false;
  return soft.encoding === 'jpeg' || imageScale((ppi * soft.width) / image.width, level) < 1;
}

const isSize = (value: PdfValue): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;

/**
 * Returns the encoding. Returns undefined if there are no filters, a filter is unknown, a filter before the last one
 * has parameters, or a JPEG has a ColorTransform.
 */
function encodingOf(filters: readonly FilterStep[]): RecodableImage['encoding'] | undefined {
  const last = filters.at(-1);
  const before = filters.slice(0, -1);
  const isPlain = ({ name, parameters }: FilterStep) => LOSSLESS.has(name) && !parameters;
  if (!last || !before.every(isPlain)) return undefined;
  if (LOSSLESS.has(last.name)) return 'rows';
  if (last.name !== 'DCTDecode') return undefined;
  // With ColorTransform, the PDF overrides the JPEG's own declaration.
  return last.parameters?.has('ColorTransform') ? undefined : 'jpeg';
}

/**
 * Whether rows have PNG predictors. Returns undefined for a TIFF predictor, and if the layout of the rows differs from
 * that of the image.
 */
function predictorOf(
  source: ObjectSource,
  parameters: PdfDictionary | undefined,
  width: number,
  channels: number,
): boolean | undefined {
  const value = (key: string, usual: number) =>
    source.resolve(parameters?.get(key) ?? null) ?? usual;
  const predictor = value('Predictor', 1);
  if (predictor === 1) return false;
  if (typeof predictor !== 'number' || predictor < 10) return undefined;
  const isAsImage =
    value('Columns', 1) === width &&
    value('Colors', 1) === channels &&
    value('BitsPerComponent', 8) === 8;
  return isAsImage ? true : undefined;
}

const CHANNELS: ReadonlyMap<string, 1 | 3> = new Map([
  ['DeviceGray', 1],
  ['CalGray', 1],
  ['DeviceRGB', 3],
  ['CalRGB', 3],
]);

/**
 * Returns 1 for gray or 3 for RGB samples, calibrated or not. Returns undefined for other color spaces (section 8.6).
 */
export function channelsOf(source: ObjectSource, value: PdfValue | undefined): 1 | 3 | undefined {
  const space = source.resolve(value);
  const family = source.resolve(Array.isArray(space) ? space[0] : space);
  if (!(family instanceof PdfName)) return undefined;
  if (family.value !== 'ICCBased') return CHANNELS.get(family.value);
  if (!Array.isArray(space)) return undefined;
  const profile = source.resolve(space[1]);
  if (!(profile instanceof PdfStream)) return undefined;
  // If the Alternate of the profile is another color space, such as Lab, the samples of the image are neither gray nor
  // RGB.
  const alternate = source.resolve(profile.dictionary.get('Alternate'));
  const other = source.resolve(Array.isArray(alternate) ? alternate[0] : alternate);
  const count = source.resolve(profile.dictionary.get('N'));
  if (count !== 1 && count !== 3) return undefined;
  if (other instanceof PdfName && CHANNELS.get(other.value) !== count) return undefined;
  return count;
}
