/** Passes results between processes as files in the request's directory, and sends those files. */
import { createReadStream } from 'node:fs';
import type { OperationResult } from './operation.ts';
import { type ZipEntry, zipResult } from './zip-result.ts';

interface StoredFile {
  contentType: string;
  /** The path, or null if the result has no bytes. */
  path: string | null;
  size: number;
  meta: Record<string, unknown>;
}

/** A single file, or several files that are sent as one ZIP. */
export type StoredResult = StoredFile | { entries: ZipEntry[]; meta: Record<string, unknown> };

export const fileResult = ({ contentType, path, size, meta }: StoredFile): OperationResult => ({
  contentType,
  size,
  open: () => (path === null ? [] : createReadStream(path, { highWaterMark: 1024 * 1024 })),
  meta,
});

export const storedResult = (stored: StoredResult): OperationResult =>
  'entries' in stored ? zipResult(stored.entries, stored.meta) : fileResult(stored);
