/** The interface of the media worker's operations: files in, one body and metadata out. */
import type { WorkLimit } from '../work-limit.ts';

export interface OperationFile {
  /** The caller's name for the file, used in messages and result names, but never in paths. */
  name: string;
  /** Bytes. */
  size: number;
  /** Its path, inside the request's own directory. */
  path: string;
}

export interface OperationContext {
  /** The request's own directory, which is always removed afterwards. */
  directory: string;
  signal: AbortSignal;
  /** The limit of each program that works on the files. */
  limit: WorkLimit;
  /** Reports progress from 0 to 1, with a message; absent if the caller does not listen. */
  progress?(fraction: number, message?: string): void;
}

export interface OperationResult {
  contentType: string;
  /** Size of the body in bytes. */
  size: number;
  /** Opens the body. Called once, after `run` has succeeded. */
  open(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Metadata that is sent with the body, as JSON. */
  meta: Record<string, unknown>;
}

/** The kinds of work; each has its own queue. */
export type WorkKind = 'image' | 'video' | 'pdf' | 'ocr';

export interface Operation {
  kind: WorkKind;
  /** The time limit, without the upload and the wait in the queue; two minutes by default. */
  timeLimitMs?: number;
  /** Called while the files arrive, so that slow components start early. */
  prepare?(): void;
  /** Throws ToolError; anything else is an internal error. */
  run(
    params: Record<string, unknown>,
    files: readonly OperationFile[],
    context: OperationContext,
  ): Promise<OperationResult>;
}
