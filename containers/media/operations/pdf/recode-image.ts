/** Recodes one image of a PDF at 150 dpi, as JPEG or, if that would blur drawings for little gain, losslessly. */
import sharp, { type Sharp } from 'sharp';
import { dictionary, name, type ObjectSource, PdfStream } from '../../pdf/objects.ts';
import { withoutPredictor } from '../../pdf/png-predictor.ts';
import type { RecodableImage } from '../../pdf/recodable-image.ts';
import { opened } from '../../pdf/stream-data.ts';
import { readPng } from '../image/png-file.ts';

/** As in Ghostscript's /ebook: images of 225 dpi and more are reduced to 150. */
const TARGET_PPI = 150;
const DOWNSAMPLE_FROM_PPI = 225;
/** Smaller savings are not worth another lossy step. */
const LEAST_SAVING = 0.1;
/** A lossless image becomes a JPEG only if that is this much smaller, which is typical of photographs. */
const JPEG_INSTEAD_OF_FLATE = 0.5;
/** mozjpeg's tables and progressive scans; trellis would save another tenth for twice the time (docs/adr/0012). */
const JPEG = {
  quality: 70,
  chromaSubsampling: '4:2:0',
  quantisationTable: 3,
  progressive: true,
} as const;
const MAXIMUM_JPEG_BYTES = 64 * 1024 * 1024;

/**
 * The replacement stream; undefined if it would save too little, or if the data does not match the dictionary. `ppi` is
 * the lowest resolution at which a page shows the image.
 */
export async function recodedImage(
  source: ObjectSource,
  image: RecodableImage,
  ppi: number,
): Promise<PdfStream | undefined> {
  const scale = ppi >= DOWNSAMPLE_FROM_PPI ? TARGET_PPI / ppi : 1;
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  // It is lossless and has the right size.
  if (image.encoding === 'rows' && scale === 1) return undefined;
  const pixels = await pixelsOf(source, image);
  if (!pixels) return undefined;
  // A triangle filter, similar to what viewers use: sharper kernels cost bytes and differ more.
  const small =
    scale === 1 ? pixels : pixels.resize(width, height, { fit: 'fill', kernel: 'linear' });
  const samples = small.toColourspace(image.channels === 1 ? 'b-w' : 'srgb');
  const jpeg = await samples.clone().jpeg(JPEG).toBuffer();
  let best: Uint8Array = jpeg;
  let filter = 'DCTDecode';
  if (image.encoding === 'rows') {
    const png = await samples
      .clone()
      .png({ compressionLevel: 9, adaptiveFiltering: true })
      .toBuffer();
    // FlateDecode with PNG predictors reads the data of a PNG.
    const flate = Buffer.concat(readPng(png).compressed);
    if (jpeg.length > flate.length * JPEG_INSTEAD_OF_FLATE) {
      best = flate;
      filter = 'FlateDecode';
    }
  }
  if (best.length > image.stream.encoded.length * (1 - LEAST_SAVING)) return undefined;
  const entries = new Map(image.stream.dictionary)
    .set('Width', width)
    .set('Height', height)
    .set('Filter', name(filter));
  entries.delete('DecodeParms');
  if (filter === 'FlateDecode') {
    const { channels } = image;
    entries.set('DecodeParms', dictionary({ Predictor: 15, Columns: width, Colors: channels }));
  }
  return new PdfStream(entries, best);
}

/** The samples as sharp reads them, ignoring colour data inside a JPEG, as PDF viewers do. */
async function pixelsOf(source: ObjectSource, image: RecodableImage): Promise<Sharp | undefined> {
  const { stream, width, height, channels } = image;
  const limitInputPixels = width * height;
  if (image.encoding === 'jpeg') {
    const file = opened(source, stream, MAXIMUM_JPEG_BYTES).data;
    const jpeg = sharp(file, { limitInputPixels, ignoreIcc: true, failOn: 'warning' });
    const found = await jpeg.metadata();
    const isAsSaid =
      found.format === 'jpeg' &&
      found.width === width &&
      found.height === height &&
      found.channels === channels;
    return isAsSaid ? jpeg : undefined;
  }
  const row = width * channels + (image.hasPredictor ? 1 : 0);
  const rows = opened(source, stream, row * height + 1024).data;
  if (rows.length < row * height) return undefined;
  const samples = image.hasPredictor
    ? withoutPredictor(rows.subarray(0, row * height), row - 1, channels)
    : rows.subarray(0, row * height);
  return sharp(samples, { limitInputPixels, raw: { width, height, channels } });
}
