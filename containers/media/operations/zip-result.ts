/** Sends files from the request's directory as one ZIP, which is created while it is being sent. */
import { createReadStream } from 'node:fs';
import { makeZip, predictLength } from 'client-zip';
import { ZIP_DATE } from '../../../src/tools/split_pdf/zip-date.ts';
import type { OperationResult } from './operation.ts';

export interface ZipEntry {
  name: string;
  path: string;
  size: number;
}

export function zipResult(
  files: readonly ZipEntry[],
  meta: Record<string, unknown>,
): OperationResult {
  const entries = files.map(({ name, path, size }) => ({
    name,
    path,
    size,
    lastModified: ZIP_DATE,
  }));
  return {
    contentType: 'application/zip',
    size: Number(predictLength(entries)),
    open: () => makeZip(opened(entries)),
    meta,
  };
}

function* opened(entries: readonly (ZipEntry & { lastModified: Date })[]) {
  for (const { name, path, lastModified } of entries) {
    yield { name, lastModified, input: createReadStream(path, { highWaterMark: 1024 * 1024 }) };
  }
}
