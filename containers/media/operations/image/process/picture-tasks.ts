/** The tasks of picture processes. */
import type { OperationFile } from '../../operation.ts';
import type { StoredResult } from '../../stored-result.ts';
import type { Embedded, EmbedTask } from '../embed-pictures.ts';
import type { MeasuredPicture, PageTask } from '../page-picture.ts';

/**
 * What an operation does in a picture process. `params` are those of the call; results are written to `directory`,
 * that of the request. Throws ToolError.
 */
export type PictureWork = (
  params: Record<string, unknown>,
  files: readonly OperationFile[],
  directory: string,
) => Promise<StoredResult>;

export interface WorkTask {
  /** The name of the operation: its work is in `NAME.work.ts`. */
  operation: string;
  params: Record<string, unknown>;
  files: readonly OperationFile[];
  directory: string;
}

/** What each task receives and returns, by its name. Files are in the request's directory. */
export interface PictureTasks {
  work: { given: WorkTask; result: StoredResult };
  embed: { given: EmbedTask; result: Embedded };
  measure: { given: OperationFile; result: MeasuredPicture };
  draw: { given: PageTask; result: number };
}
