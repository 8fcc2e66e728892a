/** Implements split_pdf, which extracts ranges of pages as PDFs. */
import { documentOperation } from './process/document-operation.ts';

export const operation = documentOperation('split');
