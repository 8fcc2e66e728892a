/** merge_pdf: several PDFs as one. */
import { documentOperation } from './process/document-operation.ts';

export const operation = documentOperation('merge');
