/**
 * Runs the images_to_pdf task, which places images on pages. JPEG and PNG images are embedded without loss, and most
 * other images are converted to PNG. All pages of a TIFF are embedded, but not its thumbnails.
 */
import { stat } from 'node:fs/promises';
import sharp, { type CreateRaw, type Metadata, type Sharp } from 'sharp';
import type { PageLayout } from '../../../../src/lib/page-layout.ts';
import type { OperationFile } from '../operation.ts';
import { isAnimatedAvif } from './animated-avif.ts';
import { oneBitImage } from './group4.ts';
import { ImageDocument } from './image-document.ts';
import { indexedPng } from './indexed-png.ts';
import { jpegImage } from './jpeg-image.ts';
import { checkPage, type Image, openImage, withImageErrors } from './open-image.ts';
import { deinterlacedPng } from './optimize-png.ts';
import type { ColorSpace, PdfImage } from './pdf-image.ts';
import { hasAnimation } from './png-file.ts';
import { pngImage, withGroup4 } from './png-image.ts';
import { missingFiles } from './svg-links.ts';
import { ownPages } from './tiff-features.ts';

const ANIMATED = new Set<Image['kind']>(['gif', 'webp']);
/** The formats whose photos become larger, because PDF does not support their lossy compression. */
const GROWING = new Set<Image['kind']>(['webp', 'avif', 'heic']);
/** The formats that are embedded with their bit depth. */
const EXACT = new Set<Image['kind']>(['tiff', 'png']);
/** The minimum size, in bytes, at which a PDF that is more than twice as large as its images causes a warning. */
const LARGE_BYTES = 1_000_000;

export interface EmbedTask {
  files: OperationFile[];
  /** The path of the PDF. */
  output: string;
  layout: PageLayout;
  /** Whether each frame of an animation becomes a page. */
  allFrames: boolean;
}

export interface Embedded {
  pages: number;
  warnings: string[];
}

export async function embedImages(task: EmbedTask): Promise<Embedded> {
  const warnings: string[] = [];
  const document = await ImageDocument.create(task.output, task.layout);
  let added = 0;
  let total = 0;
  let isGrowing = false;
  for (const file of task.files) {
    const image = await openImage(file, task.allFrames);
    const { name, kind, metadata, frames, bytes } = image;
    total += bytes.length;
    isGrowing ||= GROWING.has(kind);
    const { pages = 1 } = metadata;
    for await (const [page, orientation] of pagesOf(image)) {
      await document.addPage(page, orientation, metadata.density);
      added += 1;
    }
    warnings.push(...missingFiles(image));
    const advice = ' Send `frames: "all"` for one page per frame.';
    if (kind !== 'tiff' && pages > frames) {
      warnings.push(
        `"${name}" has ${pages} frames; the PDF contains only the first.${ANIMATED.has(kind) ? advice : ''}`,
      );
    } else if (kind === 'png' && !task.allFrames && hasAnimation(image.original)) {
      warnings.push(`"${name}" is animated; the PDF contains only its first image.${advice}`);
    } else if (kind === 'avif' && isAnimatedAvif(image.original)) {
      warnings.push(`"${name}" is animated; the PDF contains only its first image.`);
    }
  }
  await document.finish();
  const { size } = await stat(task.output);
  if (isGrowing && size > LARGE_BYTES && size > 2 * total)
    warnings.push(
      'The PDF is much larger than its images, because WebP, AVIF and HEIC images become PNG. Send JPEG images, or shrink the PDF with `compress_pdf`.',
    );
  return { pages: added, warnings };
}

/** Returns the pages of an image in order, each with the EXIF orientation that must be applied on the PDF page. */
async function* pagesOf(image: Image): AsyncGenerator<[page: PdfImage, orientation: number]> {
  const { kind, metadata } = image;
  if (image.frames > 1) {
    for await (const frame of framesOf(image)) yield [frame, 1];
    return;
  }
  const asItIs = await untouched(image);
  yield asItIs ? [asItIs, metadata.orientation ?? 1] : [await reencoded(image, 0, metadata), 1];
  const pages = kind === 'tiff' ? ownPages(image.bytes, metadata.pages ?? 1) : [];
  for (const page of pages.slice(1)) {
    yield [await reencoded(image, page, await checkPage(image, page)), 1];
  }
}

/**
 * Returns the frames of an animation. They are decoded together, because each frame depends on all frames before it.
 */
async function* framesOf({ name, open, frames }: Image): AsyncGenerator<PdfImage> {
  const { data, info } = await withImageErrors(name, () =>
    open().raw().toBuffer({ resolveWithObject: true }),
  );
  const { width, channels } = info;
  const raw = { width, height: info.height / frames, channels };
  const size = data.length / frames;
  for (let frame = 0; frame < frames; frame += 1) {
    const pixels = data.subarray(frame * size, (frame + 1) * size);
    yield pixelImage(pixels, raw);
  }
}

/**
 * Embeds a JPEG or PNG without re-encoding its samples, after verifying that it decodes completely. Returns null if the
 * image must be re-encoded.
 */
async function untouched(image: Image): Promise<PdfImage | null> {
  const { kind, bytes, metadata, name } = image;
  if (kind !== 'jpeg' && kind !== 'png') return null;
  await withImageErrors(name, () => image.open().resize(1, 1, { fit: 'fill' }).raw().toBuffer());
  if (kind === 'jpeg') return jpegImage(bytes, metadata.icc);
  const { width, height, isProgressive, icc } = metadata;
  const png = isProgressive ? await deinterlacedPng(bytes, width * height) : bytes;
  return png ? withImageErrors(name, async () => withGroup4(pngImage(png, icc), png)) : null;
}

/**
 * Re-encodes a page in sRGB or grayscale with its orientation applied. A one-bit page is encoded as CCITT Group 4, or
 * as Flate if it is dithered.
 */
async function reencoded(image: Image, page: number, metadata: Metadata): Promise<PdfImage> {
  const options = page > 0 ? { page } : {};
  const pixels = (pipeline: Sharp) =>
    withImageErrors(image.name, () => pipeline.raw().toBuffer({ resolveWithObject: true }));
  if (metadata.bitsPerSample === 1 && metadata.channels === 1) {
    const { data, info } = await pixels(image.open(options).toColorspace('b-w'));
    const { width, height } = info;
    const colorSpace: ColorSpace = { components: 1 };
    return oneBitImage(data, { width, height, bitsPerComponent: 1, colorSpace });
  }
  if (metadata.isPalette) {
    const { data, info } = await pixels(image.open(options));
    return pixelImage(data, info);
  }
  const pipeline = image.open(options);
  const space = exactSpace(image.kind, metadata);
  if (space) pipeline.toColorspace(space);
  return pngImage(await withImageErrors(image.name, () => asPng(pipeline)), undefined);
}

/**
 * Returns the color space that preserves grayscale and 16 bits. Without one, sharp converts to eight bits per channel.
 */
function exactSpace(kind: Image['kind'], { space, depth }: Metadata): string | undefined {
  const isExact = depth === 'ushort' ? space.endsWith('16') : depth === 'uchar' && space === 'b-w';
  return EXACT.has(kind) && isExact ? space : undefined;
}

/** Embeds pixels with a palette if they have at most 256 colors. */
async function pixelImage(data: Buffer, raw: CreateRaw): Promise<PdfImage> {
  const indexed = indexedPng(data, raw);
  if (indexed) return withGroup4(pngImage(indexed, undefined), indexed);
  return pngImage(await asPng(sharp(data, { raw, limitInputPixels: false })), undefined);
}

const asPng = (pixels: Sharp) =>
  pixels.png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer();
