/** Implements merge_pdf, which merges several PDFs into one. */
import { documentOperation } from './process/document-operation.ts';

export const operation = documentOperation('merge');
