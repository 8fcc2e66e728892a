/** Determines which images of a PDF may become smaller if they are recoded, and which have been recoded. */
import type { PdfDocument } from '../../pdf/document.ts';
import { drawableImage } from '../../pdf/drawable-image.ts';
import { imageScale, type Level } from '../../pdf/image-scale.ts';
import { PdfReference, PdfStream, type PdfValue, unlessDamaged } from '../../pdf/objects.ts';
import { isWorthRecoding, mattedImage, recodableImage } from '../../pdf/recodable-image.ts';
import type { ShownImage } from './shown-images.ts';

/** Whether an image may become smaller if it is recoded at this level. */
export const mayShrink = (document: PdfDocument, shown: ShownImage, level: Level) =>
  unlessDamaged(() => isWorthRecoding(document, referenceTo(shown), shown.ppi, level)) ?? false;

/** Whether only poppler can decode an image that may become smaller. */
export const isDrawable = (document: PdfDocument, shown: ShownImage, level: Level) =>
  unlessDamaged(() => {
    const reference = referenceTo(shown);
    if (recodableImage(document, reference)) return undefined;
    return drawableImage(document, reference, shown.ppi, level);
  }) !== undefined;

/**
 * Whether an image is blended with the matte of its soft mask, so that the image and the mask can be reduced only
 * together.
 */
export const isMatted = (document: PdfDocument, shown: ShownImage) =>
  unlessDamaged(() => {
    const reference = referenceTo(shown);
    return recodableImage(document, reference) ? undefined : mattedImage(document, reference);
  }) !== undefined;

/** Whether the strong level would reduce the resolution of an image. */
export const isReducible = (document: PdfDocument, shown: ShownImage) =>
  imageScale(shown.ppi, 'strong') < 1 &&
  (mayShrink(document, shown, 'strong') || isDrawable(document, shown, 'strong'));

const referenceTo = ({ number, generation }: ShownImage) => new PdfReference(number, generation);

/** Whether an image or its soft mask has been recoded, which changes its size. */
export function isRecoded(before: PdfDocument, after: PdfDocument, shown: ShownImage): boolean {
  const maskBytes = (document: PdfDocument) => {
    const image = unlessDamaged(() => document.resolve(referenceTo(shown)));
    return image instanceof PdfStream
      ? bytesOf(document, image.dictionary.get('SMask'))
      : undefined;
  };
  return (
    encodedBytes(before, shown) !== encodedBytes(after, shown) ||
    maskBytes(before) !== maskBytes(after)
  );
}

/** Returns the number of bytes of an image in the file, or 0 if the image is missing or damaged. */
export const encodedBytes = (document: PdfDocument, shown: ShownImage): number =>
  bytesOf(document, referenceTo(shown));

function bytesOf(document: PdfDocument, stream: PdfValue | undefined): number {
  const value = unlessDamaged(() => document.resolve(stream));
  return value instanceof PdfStream ? value.encoded.length : 0;
}
