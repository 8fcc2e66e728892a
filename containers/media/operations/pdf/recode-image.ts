/**
 * Recodes one image of a PDF at 150 or 100 dpi as JPEG, or losslessly if JPEG would blur a drawing and save little. A
 * lossless photo of a lower resolution becomes a JPEG of the same resolution.
 */
import sharp, { type Sharp } from 'sharp';
import type { DrawableImage } from '../../pdf/drawable-image.ts';
import { imageScale, type Level } from '../../pdf/image-scale.ts';
import {
  dictionary,
  name,
  type ObjectSource,
  type PdfDictionary,
  PdfStream,
  PdfString,
} from '../../pdf/objects.ts';
import type { OpaqueImage, RecodableImage } from '../../pdf/recodable-image.ts';
import { opened } from '../../pdf/stream-data.ts';
import { withoutPredictor } from '../../png/predictor.ts';
import { isPhoto } from '../image/drawn-image.ts';
import { readPng } from '../image/png-file.ts';
import type { Netpbm } from './netpbm.ts';

/** The minimum saving, as a share of the encoded size, that justifies replacing an image. */
const MIN_SAVING = 0.1;
/**
 * The maximum size of a JPEG that replaces a lossless image, as a share of the FlateDecode data. Photographs usually
 * become small enough.
 */
const JPEG_INSTEAD_OF_FLATE = 0.5;
/**
 * The minimum number of colors in a palette. Averaging pixels adds colors at the edges of a drawing, so the original
 * number may be too small.
 */
const MIN_COLORS = 16;
const QUALITY: Record<Level, number> = { standard: 70, strong: 60 };
/**
 * mozjpeg's quantization table and progressive scans. Trellis quantization would save another tenth, but take twice as
 * long (ADR 12).
 */
const JPEG = {
  chromaSubsampling: '4:2:0',
  quantizationTable: 3,
  progressive: true,
} as const;
const MAX_JPEG_BYTES = 64 * 1024 * 1024;

/**
 * Returns the replacement stream. Returns undefined for a lossless image whose resolution is kept, if replacing the
 * image would save too little, or if the data does not match the dictionary. `ppi` is the lowest resolution at which a
 * page shows the image.
 */
export async function recodedImage(
  source: ObjectSource,
  image: RecodableImage,
  ppi: number,
  level: Level,
  mayGrow = false,
): Promise<PdfStream | undefined> {
  const isLossy = image.encoding === 'jpeg';
  // `recodedPhoto` may replace such an image.
  if (!isLossy && imageScale(ppi, level) === 1) return undefined;
  const pixels = await pixelsOf(source, image);
  const scale = imageScale(ppi, level);
  const entries = new Map(image.stream.dictionary);
  return pixels && smaller({ ...image, isLossy, mayGrow, pixels }, scale, level, entries);
}

/**
 * Returns a lossless photo with the same resolution, as a JPEG or with better lossless compression. Returns undefined
 * for other images, and if that saves too little. The quality is the same at both levels, because the pixels may be
 * large.
 */
export async function recodedPhoto(
  source: ObjectSource,
  image: RecodableImage,
): Promise<PdfStream | undefined> {
  const samples = samplesOf(source, image);
  if (!samples || !isPhoto(samples, image.width, image.channels)) return undefined;
  const photo = { ...image, isLossy: false, pixels: rawPixels(samples, image) };
  return smaller(photo, 1, 'standard', new Map(image.stream.dictionary));
}

/** Like `recodedImage`, for an image that poppler has decoded. */
export async function recodedDrawing(
  image: DrawableImage,
  { width, height, rows }: Netpbm,
  ppi: number,
  level: Level,
): Promise<PdfStream | undefined> {
  const { channels } = image;
  const entries = new Map(image.stream.dictionary)
    .set('ColorSpace', name(channels === 1 ? 'DeviceGray' : 'DeviceRGB'))
    .set('BitsPerComponent', 8);
  entries.delete('Decode');
  const pixels = rawPixels(rows, { width, height, channels: 3 });
  return smaller({ ...image, pixels }, imageScale(ppi, level), level, entries);
}

/**
 * Starts a sharp pipeline on an image. Each encoding needs its own pipeline. `Sharp.clone` is not used, because it
 * copies the whole buffer that the image's bytes belong to.
 */
type Pixels = () => Sharp;

/** The shape of 8-bit samples. */
type Raw = Pick<Samples, 'width' | 'height' | 'channels'>;

interface Samples extends OpaqueImage {
  pixels: Pixels;
  channels: 1 | 3;
  isLossy: boolean;
  /** Whether the caller decides if the result is small enough. */
  mayGrow?: boolean;
  /** The number of colors in an indexed image. */
  colors?: number | undefined;
}

async function smaller(
  image: Samples,
  scale: number,
  level: Level,
  entries: PdfDictionary,
): Promise<PdfStream | undefined> {
  const { pixels, channels } = image;
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  // The linear kernel resembles the scaling in PDF viewers. Sharper kernels increase the size and change the appearance
  // more.
  const samples = () => {
    const small =
      scale === 1 ? pixels() : pixels().resize(width, height, { fit: 'fill', kernel: 'linear' });
    return small.toColorspace(channels === 1 ? 'b-w' : 'srgb');
  };
  const jpeg = await samples()
    .jpeg({ ...JPEG, quality: QUALITY[level] })
    .toBuffer();
  let best: Uint8Array = jpeg;
  let filter = 'DCTDecode';
  let parameters: PdfDictionary | undefined;
  if (!image.isLossy) {
    const { colors } = image;
    const options = colors
      ? { palette: true, dither: 0, colors: Math.min(256, Math.max(MIN_COLORS, colors)) }
      : { adaptiveFiltering: true };
    const png = readPng(
      await samples()
        .png({ compressionLevel: 9, ...options })
        .toBuffer(),
    );
    // The image data of a PNG is valid FlateDecode data with PNG predictors.
    const flate = Buffer.concat(png.compressed);
    if (jpeg.length > flate.length * JPEG_INSTEAD_OF_FLATE) {
      best = flate;
      filter = 'FlateDecode';
      const { palette, bitDepth: BitsPerComponent } = png;
      const Colors = palette ? 1 : channels;
      parameters = dictionary({ Predictor: 15, Columns: width, Colors, BitsPerComponent });
      if (palette) {
        const last = palette.length / 3 - 1;
        const space = [name('Indexed'), name('DeviceRGB'), last, new PdfString(palette)];
        entries.set('ColorSpace', space).set('BitsPerComponent', BitsPerComponent);
      }
    }
  }
  const most = image.mayGrow ? best.length : image.stream.encoded.length * (1 - MIN_SAVING);
  if (best.length > most) return undefined;
  entries.set('Width', width).set('Height', height).set('Filter', name(filter));
  if (parameters) entries.set('DecodeParms', parameters);
  else entries.delete('DecodeParms');
  return new PdfStream(entries, best);
}

/**
 * Returns an image for sharp, or undefined if its data does not match the dictionary. Ignores the color profile inside
 * a JPEG, as PDF viewers do.
 */
async function pixelsOf(source: ObjectSource, image: RecodableImage): Promise<Pixels | undefined> {
  const { stream, width, height, channels } = image;
  const limitInputPixels = width * height;
  if (image.encoding === 'jpeg') {
    const file = opened(source, stream, MAX_JPEG_BYTES).data;
    const jpeg = () => sharp(file, { limitInputPixels, ignoreIcc: true, failOn: 'warning' });
    const found = await jpeg().metadata();
    const isAsSaid =
      found.format === 'jpeg' &&
      found.width === width &&
      found.height === height &&
      found.channels === channels;
    return isAsSaid ? jpeg : undefined;
  }
  const samples = samplesOf(source, image);
  return samples && rawPixels(samples, image);
}

/** Returns the samples of a lossless image, or undefined if some are missing. */
function samplesOf(
  source: ObjectSource,
  { stream, width, height, channels, hasPredictor }: RecodableImage,
): Uint8Array | undefined {
  const row = width * channels + (hasPredictor ? 1 : 0);
  const rows = opened(source, stream, row * height + 1024).data;
  if (rows.length < row * height) return undefined;
  return hasPredictor
    ? withoutPredictor(rows.subarray(0, row * height), row - 1, channels)
    : rows.subarray(0, row * height);
}

const rawPixels =
  (samples: Uint8Array, { width, height, channels }: Raw): Pixels =>
  () =>
    sharp(samples, { limitInputPixels: width * height, raw: { width, height, channels } });
