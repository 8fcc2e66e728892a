/** The operations by the name under which they are called. */
import type { Operation } from './operation.ts';
import { mergePdf } from './pdf/merge.ts';
import { splitPdf } from './pdf/split.ts';

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ['merge_pdf', mergePdf],
  ['split_pdf', splitPdf],
]);
