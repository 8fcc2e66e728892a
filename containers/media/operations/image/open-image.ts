/** Opens an image. Detects the format from its bytes, and checks the dimensions before anything is decoded. */

import { readFile } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { badRequest, failed, type ToolError, tooLarge } from '../../../../src/core/errors.ts';
import { MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from '../../../../src/core/limits.ts';
import { trimEnd } from '../../../../src/core/trim-end.ts';
import {
  otherKind,
  READABLE_IMAGES,
  type ReadableKind,
  readableKind,
} from '../../../../src/lib/image-kind.ts';
import { CORES } from '../../cores.ts';
import type { TaskReply } from '../../processes/task.ts';
import type { OperationFile } from '../operation.ts';
import { asStillAvif, isAnimatedAvif } from './animated-avif.ts';
import { asAnimatedWebp, readAnimatedPng } from './animated-png.ts';
import { decodeHeic } from './heic.ts';
import { permissionFor } from './large-images.ts';
import { isLibvipsError } from './libvips-error.ts';
import { hasPhysicalUnits, PHYSICAL_DENSITY, physicalSize } from './physical-svg.ts';
import { resizedSvg } from './resize-svg.ts';
import { allowLoaders } from './sharp-loaders.ts';
import { unsupportedTiffFeature } from './tiff-features.ts';
import { uprightAnimation } from './upright-animation.ts';

const SVG_DENSITY = 300;
export const SVG_BOX = 800;
/**
 * The length of the longer side at which the proportions of an SVG are measured. libvips rounds to whole pixels, so
 * measuring at a small size would be inaccurate.
 */
const MEASURED_SIDE = 8000;
/** The density, in pixels per inch, at which libvips draws one SVG unit as one pixel. */
const UNIT_DENSITY = 72;
/** The value of white in libvips' 8-bit images. */
const WHITE = 255;
const REASON_CHARACTERS = 160;

sharp.concurrency(CORES);
allowLoaders('Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif', 'Svg');

export interface Image {
  name: string;
  kind: ReadableKind;
  bytes: Buffer;
  /** The bytes of the file as received. `bytes` differs if the file had to be converted for libvips. */
  original: Buffer;
  /** Metadata of the stored bytes, before EXIF orientation is applied. */
  metadata: Metadata;
  /** The size of one frame in pixels, after orientation. */
  width: number;
  height: number;
  /** The width divided by the height. For an SVG, this is more accurate than the ratio of the pixel dimensions. */
  proportion: number;
  frames: number;
  /** Returns a new pipeline that reads the image. It applies the orientation unless the options disable that. */
  open(options?: SharpOptions): Sharp;
}

/**
 * Opens an image. If `animated` is set, includes all frames of a GIF, PNG or WebP. Throws ToolError 400, 413 or 422
 * naming the file.
 */
export async function openImage(file: OperationFile, animated = false): Promise<Image> {
  process.send?.({ reading: `"${file.name}"` } satisfies TaskReply);
  const original = await readFile(file.path);
  let bytes = original;
  const kind = readableKind(bytes.subarray(0, 64 * 1024));
  if (!kind) throw notAnImage(file.name, bytes);
  if (kind === 'tiff') checkTiff(file.name, bytes);
  if (kind === 'avif' && isAnimatedAvif(bytes)) bytes = asStillAvif(bytes);
  const options: SharpOptions = { failOn: 'error', limitInputPixels: MAX_IMAGE_PIXELS };
  let metadata = await withImageErrors(file.name, () =>
    sharp(bytes, { limitInputPixels: false }).metadata(),
  );
  let proportion: number | undefined;
  if (kind === 'svg') {
    const drawing = await drawingOf(file.name, bytes, metadata);
    ({ bytes, metadata, proportion } = drawing);
    options.density = drawing.density;
  }
  const { pages = 1 } = metadata;
  const mayBeAnimated = animated && kind === 'png' && (metadata.orientation ?? 1) === 1;
  const animation = mayBeAnimated ? readAnimatedPng(original) : null;
  const hasPages = animated && (kind === 'gif' || kind === 'webp');
  const frames = animation ? animation.frames.length : hasPages ? pages : 1;
  if (frames > 1) options.animated = true;
  checkPixels(file.name, metadata, frames);
  await permissionFor(metadata.width * metadata.height * frames);
  const replaceBy = async (recode: () => Promise<typeof bytes>) => {
    bytes = await withImageErrors(file.name, recode);
    metadata = await sharp(bytes).metadata();
  };
  if (metadata.compression === 'hevc') await replaceBy(() => decodeHeic(bytes, metadata));
  if (animation && frames > 1) await replaceBy(() => asAnimatedWebp(animation));
  if (frames > 1 && (metadata.orientation ?? 1) > 1)
    await replaceBy(() => uprightAnimation(bytes, metadata));
  const areFractions = kind === 'tiff' && (await hasFractions(file.name, bytes, metadata));
  const open: Image['open'] = (more) => {
    const pipeline = sharp(bytes, { autoOrient: true, ...options, ...more });
    return areFractions ? pipeline.linear(WHITE, 0) : pipeline;
  };
  const { width, height } = metadata.autoOrient;
  return {
    name: file.name,
    kind,
    bytes,
    original,
    metadata,
    width,
    height,
    proportion: proportion ?? width / height,
    frames,
    open,
  };
}

/**
 * Determines how to draw an SVG at up to 300 DPI within 800 × 800 pixels. `metadata` describes a drawing with one pixel
 * per unit.
 */
async function drawingOf(name: string, bytes: Buffer<ArrayBuffer>, { width, height }: Metadata) {
  const measure = (density: number) =>
    withImageErrors(name, () => sharp(bytes, { density, limitInputPixels: false }).metadata());
  if (hasPhysicalUnits(bytes)) {
    return resizedDrawing(name, bytes, await physicalSize(measure));
  }
  const longest = Math.max(width, height);
  const fitting = (UNIT_DENSITY * SVG_BOX) / longest;
  const shortest = (Math.min(width, height) * fitting) / UNIT_DENSITY;
  // There is no density at which the drawing both fits and remains at least one pixel thick.
  if (fitting < 1 || shortest < 1) return resizedDrawing(name, bytes, { width, height });
  const density = possibleDensity(Math.min(SVG_DENSITY, fitting));
  const metadata = await measure(density);
  const large = await measure(possibleDensity((UNIT_DENSITY * MEASURED_SIDE) / longest));
  return { bytes, density, metadata, proportion: large.width / large.height };
}

/** Draws an SVG after setting an explicit size in its root element. `natural` is its size in units. */
async function resizedDrawing(
  name: string,
  bytes: Buffer<ArrayBuffer>,
  natural: { width: number; height: number },
) {
  const longest = Math.max(natural.width, natural.height);
  const scale = Math.min(SVG_DENSITY / UNIT_DENSITY, SVG_BOX / longest);
  const drawn = (side: number) =>
    (Math.max(1, Math.round(side * scale)) * UNIT_DENSITY) / PHYSICAL_DENSITY;
  const size = { width: drawn(natural.width), height: drawn(natural.height) };
  const resized = resizedSvg(bytes, size, natural) ?? bytes;
  const density = PHYSICAL_DENSITY;
  const metadata = await withImageErrors(name, () =>
    sharp(resized, { density, limitInputPixels: false }).metadata(),
  );
  return { bytes: resized, density, metadata, proportion: natural.width / natural.height };
}

/** Clamps a density to the range that sharp accepts. */
const possibleDensity = (density: number) => Math.min(100_000, Math.max(1, density));

/**
 * Whether the gray samples of a TIFF are floating-point numbers from 0 to 1, as image editors write them. libvips
 * expects 0 to 255 and would draw them black.
 */
async function hasFractions(name: string, bytes: Buffer, { depth, space }: Metadata) {
  if (space !== 'b-w' || (depth !== 'float' && depth !== 'double')) return false;
  const { channels } = await withImageErrors(name, () => sharp(bytes).stats());
  return channels[0]!.max <= 1;
}

function checkTiff(name: string, bytes: Buffer, page = 0): void {
  const feature = unsupportedTiffFeature(bytes, page);
  if (feature === undefined) return;
  throw badRequest(
    `"${name}" has ${feature}, which is not supported. Save it as a TIFF with LZW or Deflate compression, or as a PNG.`,
    'file',
  );
}

function checkPixels(name: string, { width, height }: Metadata, frames: number): void {
  if (width * height * frames <= MAX_IMAGE_PIXELS) return;
  const together = frames > 1 ? `${frames} frames of ` : '';
  throw tooLarge(
    `"${name}" has ${together}${width} x ${height} pixels. The limit is 100 megapixels.`,
    'file',
  );
}

/** Throws 413 if an output of this size is too large. */
export function checkOutputSize(
  width: number,
  height: number,
  frames: number,
  param?: string,
): void {
  if (
    width > MAX_IMAGE_SIDE ||
    height > MAX_IMAGE_SIDE ||
    width * height * frames > MAX_IMAGE_PIXELS
  ) {
    const together = frames > 1 ? `${frames} frames of ` : '';
    throw tooLarge(
      `The result would have ${together}${width} x ${height} pixels. The limit is ${MAX_IMAGE_SIDE} per side and 100 megapixels.`,
      param,
    );
  }
}

function notAnImage(name: string, bytes: Buffer): ToolError {
  const other = otherKind(bytes);
  return badRequest(
    `"${name}" is ${other ?? 'not an image of a supported kind'}. Send ${READABLE_IMAGES}.`,
    'file',
  );
}

/** Returns the result of `decode`. Converts decoding errors to ToolErrors that name the image. */
export async function withImageErrors<Result>(
  name: string,
  decode: () => Promise<Result>,
): Promise<Result> {
  try {
    return await decode();
  } catch (error) {
    if (!isLibvipsError(error)) throw error;
    if (/memory|alloc/i.test(error.message)) {
      throw failed(`"${name}" exceeds the memory limit for images. Send a smaller one.`);
    }
    // libvips mistakes the three 8-bit channels of a Lab TIFF for its own packed format.
    if (/labq/.test(error.message)) {
      throw badRequest(
        `"${name}" has 8-bit L*a*b* colors. Save it as RGB and send it again.`,
        'file',
      );
    }
    throw badRequest(
      `"${name}" cannot be decoded as an image: ${reasonOf(error.message)}. It may be damaged or truncated.`,
      'file',
    );
  }
}

/** Replaces libvips messages that would not help a caller. */
const REASONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/corrupt header|unsupported image format|Unknown error/, 'its header is invalid'],
  [/libpng read error/, 'its image data is invalid'],
  [/bad dimensions/, 'its dimensions are invalid or too large'],
];

function reasonOf(message: string): string {
  const [, reason] = REASONS.find(([pattern]) => pattern.test(message)) ?? [];
  const first = message.trim().split('\n')[0] ?? '';
  return reason ?? trimEnd(first, '.:', true).slice(0, REASON_CHARACTERS);
}

/** Returns the metadata of a page other than the first. Throws ToolError 400, 413 or 422 naming the file. */
export async function checkPage({ name, kind, bytes }: Image, page: number): Promise<Metadata> {
  if (kind === 'tiff') checkTiff(name, bytes, page);
  const metadata = await withImageErrors(name, () =>
    sharp(bytes, { page, limitInputPixels: false }).metadata(),
  );
  const { width, height } = metadata;
  if (width * height > MAX_IMAGE_PIXELS) {
    throw tooLarge(
      `Page ${page + 1} of "${name}" has ${width} x ${height} pixels. The limit is 100 megapixels.`,
      'file',
    );
  }
  await permissionFor(width * height);
  return metadata;
}
