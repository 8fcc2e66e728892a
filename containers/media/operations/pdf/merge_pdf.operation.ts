/** merge_pdf: merges several PDFs into one. */
import { documentOperation } from './process/document-operation.ts';

export const operation = documentOperation('merge');
