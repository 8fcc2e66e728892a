/** Defines the tasks of document processes. */
import type { OperationFile } from '../../operation.ts';
import type { StoredResult } from '../../stored-result.ts';
import type { LayeredPdf } from '../layer-text.ts';
import type { FoundPdf } from '../sound-pdf.ts';

/** The files are in the request's directory, and results are written to it. */
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

/** The tasks by name. Tasks whose result is a FoundPdf take one file. */
export interface DocumentTasks {
  compress: ToResult;
  formatRecognized: ToResult;
  layer: { given: DocumentTask; result: LayeredPdf };
  merge: ToResult;
  parse: ToResult;
  split: ToResult;
  /** Returns the file unchanged, or a rewritten copy if it is encrypted or damaged, or if its page count is wrong. */
  sound: ToResult;
  /**
   * Returns the file unchanged, or a rewritten copy if the file is encrypted or damaged, or if other programs and our
   * reader would find different pages in it.
   */
  open: ToPdf;
  repair: ToPdf;
}
