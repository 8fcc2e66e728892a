/** Returns the only file of an operation that takes exactly one. */
import { badRequest } from '../../../src/core/errors.ts';
import type { OperationFile } from './operation.ts';

/** Throws ToolError 400 unless exactly one file was sent. */
export function onlyFile(files: readonly OperationFile[], tool: string): OperationFile {
  const [file] = files;
  if (!file || files.length > 1) throw badRequest(`${tool} takes exactly one file.`, 'file');
  return file;
}
