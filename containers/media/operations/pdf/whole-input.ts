/** Opens a PDF for a change of the whole file. */
import { Draft } from '../../pdf/compress/draft.ts';
import { type Lifted, liftInlineImages } from '../../pdf/compress/inline-images.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { fewColorImage } from '../../pdf/few-color-image.ts';
import { type Inventory, takeInventory } from '../../pdf/inventory.ts';
import { PdfStream, type PdfValue, unlessDamaged } from '../../pdf/objects.ts';
import { oneBitSize } from '../../pdf/one-bit-image.ts';
import { miscounts } from '../../pdf/pages.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { normalize, openInput, type PdfInput, ReadByQpdfOnly } from './input.ts';

export interface WholeInput {
  input: PdfInput;
  /** The document with its large inline images as objects, or undefined if it has none. */
  lifted: Lifted | undefined;
  inventory: Inventory;
  hasImages: boolean;
  /** Whether there may be one-bit images, or images with few colors, that can be recoded. */
  hasBitmaps: boolean;
}

/**
 * Opens a file and reads its whole structure. Repairs the file first if needed. Throws ToolError, such as
 * ReadByQpdfOnly.
 */
export async function openWhole(
  file: OperationFile,
  context: OperationContext,
): Promise<WholeInput> {
  const input = await openInput(file, context);
  const original = unlessDamaged(() => (miscounts(input.document) ? undefined : readWhole(input)));
  if (original) return original;
  const normalized = await normalize(file, context);
  const repaired = unlessDamaged(() => readWhole(normalized));
  if (repaired) return repaired;
  throw new ReadByQpdfOnly(file, normalized.path);
}

/** Throws PdfDamage if any object that the document uses cannot be read. */
function readWhole(input: PdfInput): WholeInput {
  const { document } = input;
  const objects = new Draft(document).objects();
  const lifted = liftInlineImages(document);
  const hasImages = lifted !== undefined || objects.some(([, value]) => isImage(document, value));
  const hasBitmaps =
    lifted !== undefined ||
    objects.some(
      ([reference, value]) => oneBitSize(document, value) ?? fewColorImage(document, reference),
    );
  return { input, lifted, inventory: takeInventory(document), hasImages, hasBitmaps };
}

const isImage = (document: PdfDocument, value: PdfValue) =>
  value instanceof PdfStream && document.isNamed(value.dictionary.get('Subtype'), 'Image');
