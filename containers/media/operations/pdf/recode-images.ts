/**
 * Recodes the images of a PDF and their soft masks at 150 dpi (one-bit images at 300 dpi), or at 100 and 200 dpi at the
 * strong level. Lossless photos of lower resolutions become JPEGs of the same resolution. Loading sharp takes 0.1 s, so
 * this module is imported only for files with images that may become smaller.
 */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { CORES } from '../../cores.ts';
import { Draft } from '../../pdf/compress/draft.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { type DrawableImage, drawableImage } from '../../pdf/drawable-image.ts';
import { MAX_COLORS, withFewerBits } from '../../pdf/few-color-image.ts';
import { imageScale, type Level } from '../../pdf/image-scale.ts';
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
import { inParallel } from './in-parallel.ts';
import { readNetpbm } from './netpbm.ts';
import { recodedBits, recodedBitsDrawing } from './recode-bits.ts';
import { recodedDrawing, recodedImage, recodedPhoto } from './recode-image.ts';
import type { ShownImage } from './shown-images.ts';

/** A JPEG of a scanned page has at least about this many bytes per pixel. */
const MIN_JPEG_PIXEL_BYTES = 0.05;

/**
 * The maximum factor by which an image with a matte is reduced. Viewers average the colors of transparent pixels too,
 * so a larger reduction looks different.
 */
const MAX_MATTED_REDUCTION = 3;

/** The maximum number of images in memory at the same time. Each may need 240 MB. */
const MAX_AT_A_TIME = 4;

export interface ImageToRecode extends ShownImage {
  /** The path of the image as decoded by poppler, for formats that we do not decode. */
  drawing?: string;
}

allowLoaders('Jpeg');
// Several images are recoded concurrently, so only one thread is used for each.
sharp.concurrency(1);

/**
 * Returns the document with its images recoded, or undefined if that saves nothing. An image that cannot be decoded
 * remains unchanged, and so do all further images once `isSpent` returns true. Throws PdfDamage.
 */
export async function recodeImages(
  document: PdfDocument,
  images: readonly ImageToRecode[],
  level: Level,
  isSpent: () => boolean,
): Promise<PdfDocument | undefined> {
  const update = await new ImageRecoder(document, images, level).run(isSpent);
  return update.size > 0
    ? new PdfDocument(Buffer.concat([document.bytes, update.build()]))
    : undefined;
}

class ImageRecoder {
  readonly #document: PdfDocument;
  readonly #images: readonly ImageToRecode[];
  readonly #level: Level;
  readonly #update: IncrementalUpdate;
  /** The number of images that use each soft mask, by the mask's object number. */
  readonly #maskUses = new Map<number, number>();
  /** The numbers of the images that poppler has decoded. */
  readonly #drawn: ReadonlySet<number>;
  /** The resolution of each image that may be reduced, by its object number. */
  readonly #resolutions: ReadonlyMap<number, number>;
  /** The numbers of the images that have at most `MAX_COLORS` colors, although they may have a longer palette. */
  readonly #fewColored = new Set<number>();

  constructor(document: PdfDocument, images: readonly ImageToRecode[], level: Level) {
    this.#document = document;
    this.#images = images;
    this.#level = level;
    this.#update = new IncrementalUpdate(document);
    this.#drawn = new Set(images.flatMap(({ number, drawing }) => (drawing ? number : [])));
    this.#resolutions = new Map(images.map(({ number, ppi }) => [number, ppi]));
  }

  async run(isSpent: () => boolean): Promise<IncrementalUpdate> {
    const objects = new Draft(this.#document).objects();
    for (const [, value] of objects) {
      const mask = value instanceof PdfStream ? value.dictionary.get('SMask') : undefined;
      if (!(mask instanceof PdfReference)) continue;
      this.#maskUses.set(mask.number, (this.#maskUses.get(mask.number) ?? 0) + 1);
    }
    for (const [reference, value] of objects) {
      if (isSpent()) break;
      await this.#replace(reference, this.#packed(reference, value));
    }
    const recode = async (shown: ImageToRecode) => {
      if (!isSpent()) await this.#recode(shown);
    };
    await inParallel(this.#images, recode, Math.min(CORES, MAX_AT_A_TIME));
    return this.#update;
  }

  /** Recodes an image and its soft mask. */
  async #recode(shown: ImageToRecode): Promise<void> {
    const reference = new PdfReference(shown.number, shown.generation);
    const { ppi, drawing } = shown;
    const image = drawing
      ? drawableImage(this.#document, reference, ppi, this.#level)
      : recodableImage(this.#document, reference);
    if (!image) {
      const matted = mattedImage(this.#document, reference);
      if (matted) await this.#reduceMatted(reference, matted, ppi);
      return;
    }
    if (!this.#isSmall(reference, image, ppi)) {
      await this.#replace(reference, this.#recoded(image, shown));
    }
    const mask = image.stream.dictionary.get('SMask');
    const soft = mask instanceof PdfReference && recodableImage(this.#document, mask);
    // If other images share the soft mask, they may show it at a larger size.
    if (!soft || this.#maskUses.get(mask.number) !== 1) return;
    const maskPpi = (ppi * soft.width) / image.width;
    await this.#replace(mask, recodedImage(this.#document, soft, maskPpi, this.#level));
  }

  /** Reduces an image together with its soft mask, whose matte requires that both have the same size. */
  async #reduceMatted(
    reference: PdfReference,
    { image, mask, maskReference }: MattedImage,
    ppi: number,
  ): Promise<void> {
    const scale = imageScale(ppi, this.#level);
    if (this.#maskUses.get(maskReference.number) !== 1 || scale === 1) return;
    const most = Math.min(ppi, ppi * scale * MAX_MATTED_REDUCTION);
    const [color, alpha] = await Promise.all(
      [image, mask].map((part) =>
        recodedImage(this.#document, part, most, this.#level, true).catch(ignoreDamage),
      ),
    );
    const before = image.stream.encoded.length + mask.stream.encoded.length;
    if (!color || !alpha || color.encoded.length + alpha.encoded.length >= before) return;
    this.#update.set(reference, color);
    this.#update.set(maskReference, alpha);
  }

  /** Whether packing has made the image smaller than a JPEG at the reduced resolution would be. */
  #isSmall(reference: PdfReference, image: OpaqueImage, ppi: number): boolean {
    const now = this.#update.current(reference);
    if (!(now instanceof PdfStream) || now.encoded.length >= image.stream.encoded.length)
      return false;
    const pixels = image.width * image.height * imageScale(ppi, this.#level) ** 2;
    return now.encoded.length < pixels * MIN_JPEG_PIXEL_BYTES;
  }

  /** Starts to recode an image. Returns undefined if poppler decoded the image to a different size. */
  async #recoded(
    image: RecodableImage | DrawableImage,
    { number, ppi, drawing }: ImageToRecode,
  ): Promise<PdfStream | undefined> {
    if ('encoding' in image) {
      return mayBePhoto(image) && imageScale(ppi, this.#level) === 1
        ? recodedPhoto(this.#document, image)
        : recodedImage(this.#document, image, ppi, this.#level);
    }
    const decoded = drawing && readNetpbm(readFileSync(drawing));
    if (!decoded || decoded.width !== image.width || decoded.height !== image.height)
      return undefined;
    if (decoded.isOneBit) return recodedBitsDrawing(image, decoded, ppi, this.#level);
    const colors = image.colors && this.#fewColored.has(number) ? MAX_COLORS : image.colors;
    return recodedDrawing({ ...image, colors }, decoded, ppi, this.#level);
  }

  async #replace(
    reference: PdfReference,
    recoding: Promise<PdfStream | undefined> | undefined,
  ): Promise<void> {
    const stream = await recoding?.catch(ignoreDamage);
    if (!stream) return;
    const earlier = this.#update.current(reference);
    if (earlier instanceof PdfStream && earlier.encoded.length <= stream.encoded.length) return;
    this.#update.set(reference, stream);
    const mask = stream.dictionary.get('SMask');
    if (mask instanceof PdfReference) this.#removeMatte(mask);
  }

  /** Removes the matte of a soft mask that hides nothing. A matte requires that image and mask have the same size. */
  #removeMatte(reference: PdfReference): void {
    const mask = this.#document.resolve(reference);
    if (!(mask instanceof PdfStream) || !mask.dictionary.has('Matte')) return;
    const entries = new Map(mask.dictionary);
    entries.delete('Matte');
    this.#update.set(reference, new PdfStream(entries, mask.encoded));
  }

  /** Returns a few-color image with fewer bits per pixel, and a one-bit image as CCITT Group 4. */
  async #packed(reference: PdfReference, value: PdfValue): Promise<PdfStream | undefined> {
    const { number } = reference;
    const few = unlessDamaged(() =>
      withFewerBits(this.#document, reference, this.#maskUses.has(number)),
    );
    if (!few) return this.#drawn.has(number) ? undefined : recodedBits(this.#document, value);
    this.#fewColored.add(number);
    const scale = imageScale(this.#resolutions.get(number) ?? 0, this.#level, true);
    return (
      (await recodedBits(this.#document, few.stream, scale)) ??
      (few.isSmaller ? few.stream : undefined)
    );
  }
}

/** Returns undefined if an image cannot be decoded, or needs too much memory. Throws all other errors. */
function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof PdfDamage || isLibvipsError(error) || lacksMemory(error))) throw error;
}

/** Whether Node, zlib or V8 could not allocate memory. */
const lacksMemory = (error: unknown) =>
  error instanceof Error &&
  (/allocation failed|failed to allocate/i.test(error.message) ||
    ('code' in error && error.code === 'Z_MEM_ERROR'));
