/**
 * Adapts the errors about one file to a tool that takes several files: they name the file, and
 * `files` as the parameter.
 */
import { ToolError } from '../../../src/core/errors.ts';
import type { OperationFile } from './operation.ts';

/** Rethrows errors of `work` with `files` instead of `file`. */
export async function namingFiles<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolError) || error.param !== 'file') throw error;
    throw error.naming('files');
  }
}

/** Returns the files, with positions added to equal names: `a.png (file 2)`. */
export function withDistinctNames(files: readonly OperationFile[]): OperationFile[] {
  const times = Map.groupBy(files, ({ name }) => name);
  return files.map((file, index) =>
    times.get(file.name)!.length > 1 ? { ...file, name: `${file.name} (file ${index + 1})` } : file,
  );
}
