/** The tasks of image processes. */
import type { OperationFile } from '../../operation.ts';
import type { Compressed, CompressTask } from '../compress-image.ts';
import type { Embedded, EmbedTask } from '../embed-images.ts';
import type { MeasuredImage, PageTask } from '../page-image.ts';
import type { Split, SplitTask } from '../split-image.ts';

/** The input and output of each task. Files are in the request's directory. */
export interface ImageTasks {
  compress: { given: CompressTask; result: Compressed };
  split: { given: SplitTask; result: Split };
  embed: { given: EmbedTask; result: Embedded };
  measure: { given: OperationFile; result: MeasuredImage };
  draw: { given: PageTask; result: number };
}
