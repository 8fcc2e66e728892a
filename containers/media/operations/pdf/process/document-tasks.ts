/** The tasks of document processes. */
import type { OperationFile } from '../../operation.ts';
import type { StoredResult } from '../../stored-result.ts';

/** Files are in the request's directory, and results are written there. */
export interface DocumentTask {
  params: Record<string, unknown>;
  files: readonly OperationFile[];
  directory: string;
}

/** A PDF that programs can read. */
export interface FoundPdf {
  /** The upload, or what was made of it. */
  path: string;
  /** Whether it was rewritten: there is no second attempt then. */
  normalised: boolean;
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
  /** Looks at no more than its first structures. */
  open: ToPdf;
  repair: ToPdf;
}
