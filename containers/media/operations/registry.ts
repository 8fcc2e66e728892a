/** The operations by name. */
import { compressImage } from './image/compress.ts';
import { splitImage } from './image/split.ts';
import { extractText } from './ocr/extract-text.ts';
import type { Operation } from './operation.ts';
import { imagesToPdf } from './pdf/images-to-pdf.ts';
import { compressPdf, mergePdf, parseDocument, splitPdf } from './pdf/operations.ts';
import { compressVideo } from './video/compress.ts';

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ['compress_image', compressImage],
  ['compress_pdf', compressPdf],
  ['compress_video', compressVideo],
  ['extract_text_ocr', extractText],
  ['images_to_pdf', imagesToPdf],
  ['merge_pdf', mergePdf],
  ['parse_document', parseDocument],
  ['split_image', splitImage],
  ['split_pdf', splitPdf],
]);
