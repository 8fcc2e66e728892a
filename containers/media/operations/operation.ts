/** What an operation of the media worker is: files in, one body and some facts out. */
import type { WorkLimit } from '../work-limit.ts';

export interface OperationFile {
  /** As the caller named it: for messages and result names, never for paths. */
  name: string;
  /** Bytes. */
  size: number;
  /** Where its bytes are, inside the request's own directory. */
  path: string;
}

export interface OperationContext {
  /** The request's own directory, removed afterwards whatever happens. */
  directory: string;
  signal: AbortSignal;
  /** For each program that works on the files. */
  limit: WorkLimit;
  /** Tells how much is done, from 0 to 1; absent where nobody listens. */
  progress?(fraction: number): void;
}

export interface OperationResult {
  contentType: string;
  /** Bytes of the body. */
  size: number;
  /** A body in pieces; opened once, after `run` has succeeded. */
  open(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Sent beside the body, as JSON. */
  meta: Record<string, unknown>;
}

/** The kinds of work that have a queue each. */
export type WorkKind = 'image' | 'video' | 'pdf' | 'ocr';

export interface Operation {
  kind: WorkKind;
  /** For all that it does once its files are here and it is its turn; two minutes unless told. */
  timeLimitMs?: number;
  /** Called while the files still come in: to make ready what takes long to start. */
  prepare?(): void;
  /** Throws ToolError; anything else that escapes is an internal error. */
  run(
    params: Record<string, unknown>,
    files: readonly OperationFile[],
    context: OperationContext,
  ): Promise<OperationResult>;
}
