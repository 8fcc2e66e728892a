/** The tasks of document processes. */
import type { OperationFile } from '../../operation.ts';
import type { StoredResult } from '../../stored-result.ts';
import type { FoundPdf } from '../sound-pdf.ts';

/** Files are in the request's directory, and results are written there. */
export interface DocumentTask {
  params: Record<string, unknown>;
  files: readonly OperationFile[];
  directory: string;
}

interface ToResult {
  given: DocumentTask;
  result: StoredResult;
}

interface ToPdf {
  given: DocumentTask;
  result: FoundPdf;
}

/** By name. Those to a PDF take one file. */
export interface DocumentTasks {
  compress: ToResult;
  merge: ToResult;
  parse: ToResult;
  split: ToResult;
  /** The file as it is; decrypted or repaired where its structure cannot be read. */
  sound: ToResult;
  /** As it is, unless programs would find other pages in it than it has. */
  open: ToPdf;
  repair: ToPdf;
}
