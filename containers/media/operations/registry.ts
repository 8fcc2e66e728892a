/** The operations by the name under which they are called. */
import { compressImage } from './image/compress.ts';
import type { Operation } from './operation.ts';
import { mergePdf } from './pdf/merge.ts';
import { splitPdf } from './pdf/split.ts';

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ['compress_image', compressImage],
  ['merge_pdf', mergePdf],
  ['split_pdf', splitPdf],
]);
