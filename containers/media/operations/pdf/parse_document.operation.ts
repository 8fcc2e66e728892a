/** parse_document: the text of a document. */
import { documentOperation } from './process/document-operation.ts';

export const operation = documentOperation('parse');
