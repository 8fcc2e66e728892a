/**
 * Adapts errors about a single file for a tool that accepts several. Sets `param` to `files`, and makes the names
 * distinct, so that a message identifies the file.
 */
import { ToolError } from '../../../src/core/errors.ts';
import type { OperationFile } from './operation.ts';

/** Runs `work`. Errors whose `param` is `file` are rethrown with `files`. */
export async function namingFiles<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolError) || error.param !== 'file') throw error;
    throw error.naming('files');
  }
}

/**
 * Returns the files with distinct names. If a name occurs more than once, appends the file's position, as in `a.png
 * (file 2)`.
 */
export function withDistinctNames(files: readonly OperationFile[]): OperationFile[] {
  const times = Map.groupBy(files, ({ name }) => name);
  return files.map((file, index) =>
    times.get(file.name)!.length > 1 ? { ...file, name: `${file.name} (file ${index + 1})` } : file,
  );
}
