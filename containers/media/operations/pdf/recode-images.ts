/**
 * Recodes the images of a PDF and their soft masks at 150 dpi (one-bit images at 300 dpi), or at 100 and 200 dpi at the
 * strong level, and appends them to the file. Lossless photos of lower resolutions become JPEGs of the same resolution.
 * This is a separate program, so that it can be killed. It reads a RecodeTask as JSON from standard input, and prints
 * the number of replacements. One image can be replaced twice. Without replacements, it writes no file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { CORES } from '../../cores.ts';
import { Draft } from '../../pdf/compress/draft.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { type DrawableImage, drawableImage } from '../../pdf/drawable-image.ts';
import { MAX_COLORS, withFewerBits } from '../../pdf/few-color-image.ts';
import { imageScale } from '../../pdf/image-scale.ts';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import {
  PdfDamage,
  PdfReference,
  PdfStream,
  type PdfValue,
  unlessDamaged,
} from '../../pdf/objects.ts';
import {
  type MattedImage,
  mattedImage,
  mayBePhoto,
  type OpaqueImage,
  type RecodableImage,
  recodableImage,
} from '../../pdf/recodable-image.ts';
import { isLibvipsError } from '../image/libvips-error.ts';
import { allowLoaders } from '../image/sharp-loaders.ts';
import { readNetpbm } from './netpbm.ts';
import { recodedBits, recodedBitsDrawing } from './recode-bits.ts';
import { recodedDrawing, recodedImage, recodedPhoto } from './recode-image.ts';
import type { ImageToRecode, RecodeTask } from './recoder.ts';

/** A JPEG of a scanned page has at least about this many bytes per pixel. */
const MIN_JPEG_PIXEL_BYTES = 0.05;

/**
 * The maximum factor by which an image with a matte is reduced. Viewers average the colors of transparent pixels too,
 * so a larger reduction looks different.
 */
const MAX_MATTED_REDUCTION = 3;

allowLoaders('Jpeg');
// Several images are recoded concurrently, so only one thread is used for each.
sharp.concurrency(1);

const { input, output, images, level }: RecodeTask = JSON.parse(readFileSync(0, 'utf8'));
const document = new PdfDocument(readFileSync(input));
const update = new IncrementalUpdate(document);
/** The number of images that use each soft mask, by the mask's object number. */
const maskUses = new Map<number, number>();
/** The numbers of the images that poppler has decoded. */
const drawn = new Set(images.flatMap(({ number, drawing }) => (drawing ? number : [])));
/** The resolution of each image that may be reduced, by its object number. */
const resolutions = new Map(images.map(({ number, ppi }) => [number, ppi]));
/** The numbers of the images that have at most `MAX_COLORS` colors, although they may have a longer palette. */
const fewColored = new Set<number>();
let replaced = 0;

/** Recodes the remaining images one after the other. Several workers share the list. */
async function worker(): Promise<void> {
  for (let shown = images.pop(); shown; shown = images.pop()) {
    const reference = new PdfReference(shown.number, shown.generation);
    const { ppi, drawing } = shown;
    const image = drawing
      ? drawableImage(document, reference, ppi, level)
      : recodableImage(document, reference);
    if (!image) {
      const matted = mattedImage(document, reference);
      if (matted) await reduceMatted(reference, matted, ppi);
      continue;
    }
    if (!isSmall(reference, image, ppi)) await replace(reference, recoded(image, shown));
    const mask = image.stream.dictionary.get('SMask');
    const soft = mask instanceof PdfReference && recodableImage(document, mask);
    // If other images share the soft mask, they may show it at a larger size.
    if (!soft || maskUses.get(mask.number) !== 1) continue;
    await replace(mask, recodedImage(document, soft, (ppi * soft.width) / image.width, level));
  }
}

/** Reduces an image together with its soft mask, whose matte requires that both have the same size. */
async function reduceMatted(
  reference: PdfReference,
  { image, mask, maskReference }: MattedImage,
  ppi: number,
): Promise<void> {
  const scale = imageScale(ppi, level);
  if (maskUses.get(maskReference.number) !== 1 || scale === 1) return;
  const most = Math.min(ppi, ppi * scale * MAX_MATTED_REDUCTION);
  const [color, alpha] = await Promise.all(
    [image, mask].map((part) =>
      recodedImage(document, part, most, level, true).catch(ignoreDamage),
    ),
  );
  const before = image.stream.encoded.length + mask.stream.encoded.length;
  if (!color || !alpha || color.encoded.length + alpha.encoded.length >= before) return;
  update.set(reference, color);
  update.set(maskReference, alpha);
  replaced += 2;
}

/** Whether packing has made the image smaller than a JPEG at the reduced resolution would be. */
function isSmall(reference: PdfReference, image: OpaqueImage, ppi: number): boolean {
  const now = update.current(reference);
  if (!(now instanceof PdfStream) || now.encoded.length >= image.stream.encoded.length)
    return false;
  const pixels = image.width * image.height * imageScale(ppi, level) ** 2;
  return now.encoded.length < pixels * MIN_JPEG_PIXEL_BYTES;
}

/** Starts to recode an image. Returns undefined if poppler decoded the image to a different size. */
function recoded(image: RecodableImage | DrawableImage, { number, ppi, drawing }: ImageToRecode) {
  if ('encoding' in image) {
    return mayBePhoto(image) && imageScale(ppi, level) === 1
      ? recodedPhoto(document, image)
      : recodedImage(document, image, ppi, level);
  }
  const decoded = drawing && readNetpbm(readFileSync(drawing));
  if (!decoded || decoded.width !== image.width || decoded.height !== image.height)
    return undefined;
  if (decoded.isOneBit) return recodedBitsDrawing(image, decoded, ppi, level);
  const colors = image.colors && fewColored.has(number) ? MAX_COLORS : image.colors;
  return recodedDrawing({ ...image, colors }, decoded, ppi, level);
}

async function replace(
  reference: PdfReference,
  recoding: Promise<PdfStream | undefined> | undefined,
): Promise<void> {
  const stream = await recoding?.catch(ignoreDamage);
  if (!stream) return;
  const earlier = update.current(reference);
  if (earlier instanceof PdfStream && earlier.encoded.length <= stream.encoded.length) return;
  update.set(reference, stream);
  replaced += 1;
  const mask = stream.dictionary.get('SMask');
  if (mask instanceof PdfReference) removeMatte(mask);
}

/** Removes the matte of a soft mask that hides nothing, because a matte requires that image and mask have one size. */
function removeMatte(reference: PdfReference): void {
  const mask = document.resolve(reference);
  if (!(mask instanceof PdfStream) || !mask.dictionary.has('Matte')) return;
  const entries = new Map(mask.dictionary);
  entries.delete('Matte');
  update.set(reference, new PdfStream(entries, mask.encoded));
}

/** An image that cannot be decoded remains unchanged. */
function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof PdfDamage || isLibvipsError(error))) throw error;
}

/** Returns a few-color image with fewer bits per pixel, and a one-bit image as CCITT Group 4. */
async function packed(reference: PdfReference, value: PdfValue): Promise<PdfStream | undefined> {
  const { number } = reference;
  const few = unlessDamaged(() => withFewerBits(document, reference, maskUses.has(number)));
  if (!few) return drawn.has(number) ? undefined : recodedBits(document, value);
  fewColored.add(number);
  const scale = imageScale(resolutions.get(number) ?? 0, level, true);
  return (
    (await recodedBits(document, few.stream, scale)) ?? (few.isSmaller ? few.stream : undefined)
  );
}

const objects = new Draft(document).objects();
for (const [, value] of objects) {
  const mask = value instanceof PdfStream ? value.dictionary.get('SMask') : undefined;
  if (mask instanceof PdfReference) maskUses.set(mask.number, (maskUses.get(mask.number) ?? 0) + 1);
}
for (const [reference, value] of objects) await replace(reference, packed(reference, value));
await Promise.all(Array.from({ length: CORES }, worker));
if (replaced > 0) {
  writeFileSync(output, document.bytes);
  writeFileSync(output, update.build(), { flag: 'a' });
}
process.stdout.write(String(replaced));
