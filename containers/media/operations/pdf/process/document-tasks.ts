/** The tasks of document processes. */
import type { OperationFile } from '../../operation.ts';
import type { StoredResult } from '../../stored-result.ts';
import type { LayeredPdf } from '../layer-text.ts';
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

/** The tasks by name. A task that returns a PDF takes one file. */
export interface DocumentTasks {
  compress: ToResult;
  layer: { given: DocumentTask; result: LayeredPdf };
  merge: ToResult;
  parse: ToResult;
  split: ToResult;
  /** Returns the file unchanged, or decrypted or repaired if its structure cannot be read. */
  sound: ToResult;
  /**
   * Returns the file unchanged, or rewritten if other programs would find different pages in it
   * than our reader.
   */
  open: ToPdf;
  repair: ToPdf;
}
