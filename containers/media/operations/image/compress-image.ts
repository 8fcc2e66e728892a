/** Runs the compress_image task, which decodes, scales and re-encodes one image. */
import { writeFile } from 'node:fs/promises';
import sharp, { type ResizeOptions, type Sharp } from 'sharp';
import type { ReadableKind } from '../../../../src/lib/image-kind.ts';
import type { OperationFile } from '../operation.ts';
import { isAnimatedAvif } from './animated-avif.ts';
import { NOT_COMPARED, pixelShares } from './drawn-image.ts';
import { dependsOnPixels, type Encoded, type Encoding, encode } from './encode-image.ts';
import { isLarge, permissionFor } from './large-images.ts';
import { checkOutputSize, type Image, openImage, SVG_BOX, withImageErrors } from './open-image.ts';
import { hasAnimation } from './png-file.ts';
import { stripped } from './strip-metadata.ts';
import { missingFiles } from './svg-links.ts';
import { ownPages } from './tiff-features.ts';

export interface CompressOptions extends Encoding {
  width?: number;
  height?: number;
  keepAspectRatio: boolean;
  grayscale: boolean;
  /** Whether the result retains the metadata and the color profile of the input. */
  keepsMetadata: boolean;
}

export interface CompressTask {
  file: OperationFile;
  /** The path of the result. */
  output: string;
  options: CompressOptions;
}

export interface Compressed {
  size: number;
  width: number;
  height: number;
  frames: number;
  warnings: string[];
}

export async function compressImage({ file, output, options }: CompressTask): Promise<Compressed> {
  // Only WebP output is animated. With another format, all frames would appear as one tall image.
  const image = await openImage(file, options.format === 'webp');
  const target = targetSize(image, options);
  checkOutputSize(target.width, target.height, image.frames, paramOf(options));
  const pixels = target.width * target.height * image.frames;
  await permissionFor(pixels);
  let pipeline = image.open().resize({ ...target, fit: target.fit });
  if (options.grayscale) pipeline = pipeline.grayscale();
  const made = await withImageErrors(file.name, () => encoded(image, pipeline, pixels, options));
  const own = isSameSize(image, target) ? ownData(image, options) : null;
  const isOwn = own !== null && own.length <= made.data.length;
  const data = isOwn ? own : made.data;
  await writeFile(output, data);
  const { info } = made;
  return {
    size: data.length,
    width: info.width,
    height: info.pageHeight ?? info.height,
    frames: image.frames,
    warnings: [
      ...leftOut(image, isOwn),
      ...missingFiles(image),
      ...reduced(image, options, isOwn),
      ...lostMetadata(image, options),
      ...enlarged(image, target),
      ...grown(image, file.size, data.length, pixels),
      ...(options.palette && options.format !== 'png'
        ? [`\`palette\` applies only to png and was ignored for ${options.format}.`]
        : []),
    ],
  };
}

/** The formats whose images are treated as never having been compressed lossily. */
const EXACT_KINDS: readonly ReadableKind[] = ['png', 'gif', 'tiff', 'svg'];

/** Encodes an image. Unless the image is animated or large, the encoder's mode may depend on its pixels. */
async function encoded(
  image: Image,
  pipeline: Sharp,
  pixels: number,
  options: CompressOptions,
): Promise<Encoded> {
  // Phones write HEIC with 4:2:0 subsampling.
  const hasHalfColors = image.kind === 'heic' || image.metadata.chromaSubsampling === '4:2:0';
  const isExact = EXACT_KINDS.includes(image.kind);
  const traits = { hasHalfColors, isExact, isLarge: isLarge(pixels), shares: NOT_COMPARED };
  if (options.keepsMetadata) pipeline.keepMetadata();
  const isStill = !traits.isLarge && image.frames === 1;
  if (!isStill || !dependsOnPixels(options, traits)) return encode(pipeline, options, traits);
  // `clone` copies the input, so it is called only if the pipeline is used again.
  const pixelsOnly = options.keepsMetadata ? pipeline.clone() : pipeline;
  const { data, info } = await pixelsOnly.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  traits.shares = pixelShares(data, width, channels);
  const source = options.keepsMetadata
    ? pipeline
    : sharp(data, { raw: { width, height, channels } });
  return encode(source, options, traits);
}

const isSameSize = (image: Image, { width, height }: { width: number; height: number }) =>
  image.width === width && image.height === height;

/** Returns the image data of the input if it already satisfies the request (ADR 67). */
function ownData(
  image: Image,
  { format, grayscale, keepsMetadata }: CompressOptions,
): Buffer | null {
  if (image.kind !== format || grayscale) return null;
  // The result would contain all frames of the animation, but `stripped` removes only the metadata of the still image.
  if (image.kind === 'avif' && isAnimatedAvif(image.original)) return null;
  const { orientation = 1 } = image.metadata;
  // Browsers ignore the EXIF orientation of a WebP, so its pixels must be rotated.
  if (image.kind === 'webp' && orientation > 1) return null;
  if (keepsMetadata) return image.original;
  return stripped(format, image.original, orientation);
}

/** Warns if a PNG has fewer bits than the input. Callers do not expect 16 bits in the other formats. */
const reduced = ({ name, metadata }: Image, { format }: CompressOptions, isOwn: boolean) =>
  format === 'png' && !isOwn && metadata.depth === 'ushort'
    ? [`"${name}" has more than 8 bits per channel; the result has 8.`]
    : [];

/** Warns if the metadata could not be preserved, which happens for HEIC and animated PNG inputs. */
const lostMetadata = ({ kind, name, frames }: Image, { keepsMetadata }: CompressOptions) =>
  keepsMetadata && (kind === 'heic' || (kind === 'png' && frames > 1))
    ? [`The metadata of "${name}" could not be preserved.`]
    : [];

/** Warns if the requested size is larger than the image. A vector drawing has no pixel size. */
function enlarged(image: Image, { width, height }: { width: number; height: number }): string[] {
  if (image.kind === 'svg' || (width <= image.width && height <= image.height)) return [];
  return [
    `"${image.name}" was enlarged from ${image.width} x ${image.height} to ${width} x ${height} pixels, which adds no detail.`,
  ];
}

/** Warns if the result is larger than the input, unless the result has more pixels or the input is an SVG. */
function grown(image: Image, before: number, after: number, pixels: number): string[] {
  const isEnlarged = pixels > image.width * image.height * image.frames;
  if (after <= before || isEnlarged || image.kind === 'svg') return [];
  return [
    `The result is larger than the input (${after} instead of ${before} bytes). Choose another format or a lower quality.`,
  ];
}

const paramOf = ({ width, height }: CompressOptions) =>
  width !== undefined ? 'width' : height !== undefined ? 'height' : undefined;

/** Warns if the result contains fewer pages or frames than the input. */
function leftOut({ metadata, frames, name, kind, original }: Image, isOwn: boolean): string[] {
  if (frames === 1 && !isOwn && isAnimated(kind, original)) {
    return [`"${name}" is animated; the result contains only its first image.`];
  }
  const { pages: stored = 1 } = metadata;
  const pages = kind === 'tiff' ? ownPages(original, stored).length : stored;
  if (pages <= frames) return [];
  return [`"${name}" has ${pages} pages or frames; the result contains only the first.`];
}

/** Whether a PNG or AVIF is animated. For other formats, libvips reports the number of frames. */
const isAnimated = (kind: ReadableKind, original: Buffer) =>
  (kind === 'png' && hasAnimation(original)) || (kind === 'avif' && isAnimatedAvif(original));

/** Returns the dimensions of the result, after EXIF orientation. */
function targetSize(
  image: Image,
  { width, height, keepAspectRatio }: CompressOptions,
): { width: number; height: number; fit: ResizeOptions['fit'] } {
  const { proportion } = image;
  if (width !== undefined && height !== undefined) {
    if (!keepAspectRatio) return { width, height, fit: 'cover' };
    return width / height < proportion ? byWidth(width, proportion) : byHeight(height, proportion);
  }
  if (width !== undefined) return byWidth(width, proportion);
  if (height !== undefined) return byHeight(height, proportion);
  const longest = Math.max(image.width, image.height);
  // libvips may have rounded an SVG's size up, so the size is limited again.
  if (image.kind !== 'svg' || longest <= SVG_BOX) return { ...sizeOf(image), fit: 'fill' };
  return proportion > 1 ? byWidth(SVG_BOX, proportion) : byHeight(SVG_BOX, proportion);
}

const sizeOf = ({ width, height }: Image) => ({ width, height });

// The sides are rounded to whole pixels, so `fill` distorts the image by less than one pixel.
const byWidth = (width: number, proportion: number) => ({
  width,
  height: Math.max(1, Math.round(width / proportion)),
  fit: 'fill' as const,
});

const byHeight = (height: number, proportion: number) => ({
  width: Math.max(1, Math.round(height * proportion)),
  height,
  fit: 'fill' as const,
});
