/** The tasks of picture processes. */
import type { OperationFile } from '../../operation.ts';
import type { Compressed, CompressTask } from '../compress-picture.ts';
import type { Embedded, EmbedTask } from '../embed-pictures.ts';
import type { MeasuredPicture, PageTask } from '../page-picture.ts';
import type { Split, SplitTask } from '../split-picture.ts';

/** What each is given and gives, by its name. Files are in the request's directory. */
export interface PictureTasks {
  compress: { given: CompressTask; result: Compressed };
  split: { given: SplitTask; result: Split };
  embed: { given: EmbedTask; result: Embedded };
  measure: { given: OperationFile; result: MeasuredPicture };
  draw: { given: PageTask; result: number };
}
