/** Errors of one file as those of a tool that takes several: which of them it is, and that `files` is at fault. */
import { ToolError } from '../../../src/core/errors.ts';
import type { OperationFile } from './operation.ts';

/** Throws what `work` throws, with `files` in place of `file`. */
export async function namingFiles<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolError) || error.param !== 'file') throw error;
    throw error.naming('files');
  }
}

/** The files, those of one name told apart by their place: `a.png (file 2)`. */
export function toldApart(files: readonly OperationFile[]): OperationFile[] {
  const times = Map.groupBy(files, ({ name }) => name);
  return files.map((file, index) =>
    times.get(file.name)!.length > 1 ? { ...file, name: `${file.name} (file ${index + 1})` } : file,
  );
}
