/** The task of compress_image: decodes, scales and re-encodes one image, without metadata. */
import { writeFile } from 'node:fs/promises';
import type { ResizeOptions } from 'sharp';
import type { OperationFile } from '../operation.ts';
import { encode, type OutputFormat } from './encode-image.ts';
import { permissionFor } from './large-images.ts';
import { checkOutputSize, type Image, openImage, read, SVG_BOX } from './open-image.ts';

export interface CompressOptions {
  quality: number;
  format: OutputFormat;
  width?: number;
  height?: number;
  keepAspectRatio: boolean;
  grayscale: boolean;
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
  // Of the output formats, only webp supports animation; in the others it would become a strip.
  const image = await openImage(file, options.format === 'webp');
  const target = targetSize(image, options);
  checkOutputSize(target.width, target.height, image.frames, paramOf(options));
  await permissionFor(target.width * target.height * image.frames);
  let pipeline = image.open().resize({ ...target, fit: target.fit });
  if (options.grayscale) pipeline = pipeline.grayscale();
  const encoded = encode(pipeline, options.format, options.quality);
  const { data, info } = await read(file.name, () => encoded.toBuffer({ resolveWithObject: true }));
  await writeFile(output, data);
  return {
    size: data.length,
    width: info.width,
    height: info.pageHeight ?? info.height,
    frames: image.frames,
    warnings: leftOut(image),
  };
}

const paramOf = ({ width, height }: CompressOptions) =>
  width !== undefined ? 'width' : height !== undefined ? 'height' : undefined;

/** What the result lacks of the input. */
function leftOut({ metadata, frames, name }: Image): string[] {
  const { pages = 1 } = metadata;
  if (pages <= frames) return [];
  return [`"${name}" has ${pages} pages or frames; only the first is in the result.`];
}

/** The dimensions of the result, after EXIF orientation. */
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
  // libvips may have rounded an SVG up.
  if (image.kind !== 'svg' || longest <= SVG_BOX) return { ...sizeOf(image), fit: 'fill' };
  return proportion > 1 ? byWidth(SVG_BOX, proportion) : byHeight(SVG_BOX, proportion);
}

const sizeOf = ({ width, height }: Image) => ({ width, height });

// In whole pixels, at least one; the proportions differ by less than that.
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
