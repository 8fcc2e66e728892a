/** Defines the tasks of image processes. */

import type { OperationFile } from '../../operation.ts';
import type { StoredResult } from '../../stored-result.ts';
import type { Embedded, EmbedTask } from '../embed-images.ts';
import type { MeasuredImage, PageTask } from '../page-image.ts';
import type { Cleaning, CleaningTask } from '../scanned-page/page-cleaning.ts';
import type { RotationTask } from '../scanned-page/rotate-page.ts';
import type { UnreadTask } from '../scanned-page/unread-ink.ts';

/**
 * Runs an operation in an image process. `params` contains the call's parameters. Results are written to `directory`,
 * the request's directory. Throws ToolError.
 */
export type ImageWork = (
  params: Record<string, unknown>,
  files: readonly OperationFile[],
  directory: string,
) => Promise<StoredResult>;

export interface WorkTask {
  /** The name of the operation. Its work is defined in `NAME.work.ts`. */
  operation: string;
  params: Record<string, unknown>;
  files: readonly OperationFile[];
  directory: string;
}

/** The input and result of each task, by name. Files are in the request's directory. */
export interface ImageTasks {
  work: { given: WorkTask; result: StoredResult };
  embed: { given: EmbedTask; result: Embedded };
  measure: { given: OperationFile; result: MeasuredImage };
  draw: { given: PageTask; result: number };
  clean: { given: CleaningTask; result: Cleaning | 'blank' | null };
  rotate: { given: RotationTask; result: null };
  unread: { given: UnreadTask; result: number };
}
