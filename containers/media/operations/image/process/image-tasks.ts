/** The tasks of image processes. */

import type { OperationFile } from '../../operation.ts';
import type { StoredResult } from '../../stored-result.ts';
import type { Embedded, EmbedTask } from '../embed-images.ts';
import type { MeasuredImage, PageTask } from '../page-image.ts';
import type { Cleaning, CleaningTask } from '../scanned-page/page-cleaning.ts';
import type { UnreadTask } from '../scanned-page/unread-ink.ts';

/**
 * What an operation does in an image process. `params` are those of the call; results are written to `directory`,
 * that of the request. Throws ToolError.
 */
export type ImageWork = (
  params: Record<string, unknown>,
  files: readonly OperationFile[],
  directory: string,
) => Promise<StoredResult>;

export interface WorkTask {
  /** The name of the operation, whose work is in `NAME.work.ts`. */
  operation: string;
  params: Record<string, unknown>;
  files: readonly OperationFile[];
  directory: string;
}

/**
 * The input and the result of each task, by the task's name. Files are in the request's directory.
 */
export interface ImageTasks {
  work: { given: WorkTask; result: StoredResult };
  embed: { given: EmbedTask; result: Embedded };
  measure: { given: OperationFile; result: MeasuredImage };
  draw: { given: PageTask; result: number };
  clean: { given: CleaningTask; result: Cleaning | null };
  unread: { given: UnreadTask; result: number };
}
