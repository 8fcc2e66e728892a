/**
 * Defines the interface of the media worker's operations. An operation takes files and returns one body with metadata.
 */
import type { WorkLimit } from '../work-limit.ts';

export interface OperationFile {
  /** The caller's name for the file. It is used in messages and result names, but never in paths. */
  name: string;
  /** In bytes. */
  size: number;
  /** The path of the file, in the request's directory. */
  path: string;
}

export interface OperationContext {
  /** The request's directory. It is always removed after the operation. */
  directory: string;
  signal: AbortSignal;
  /** The CPU time and wall time limits of each program that works on the files. */
  limit: WorkLimit;
  /** Reports progress from 0 to 1, with a message. Undefined if the caller does not listen for progress. */
  progress?(fraction: number, message?: string): void;
}

export interface OperationResult {
  contentType: string;
  /** The size of the body in bytes. */
  size: number;
  /** Opens the body. The server calls this once, after `run` has succeeded. */
  open(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Metadata that is sent with the body, as JSON. */
  meta: Record<string, unknown>;
}

/** The kinds of work. Each has its own queue. */
export type WorkKind = 'image' | 'video' | 'pdf' | 'ocr';

export interface Operation {
  kind: WorkKind;
  /**
   * The time limit of `run` in milliseconds, excluding the upload and the time in the queue. The default is two
   * minutes.
   */
  timeLimitMs?: number;
  /** Called while files are still arriving, so that slow components can start early. */
  prepare?(): void;
  /** Throws ToolError. Any other error is reported as an internal error. */
  run(
    params: Record<string, unknown>,
    files: readonly OperationFile[],
    context: OperationContext,
  ): Promise<OperationResult>;
}
