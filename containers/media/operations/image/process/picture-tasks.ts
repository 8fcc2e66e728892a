/** The tasks of picture processes. */
import type { MeasuredPicture, PageTask } from '../../ocr/page-picture.ts';
import type { OperationFile } from '../../operation.ts';
import type { Compressed, CompressTask } from '../compress-picture.ts';
import type { Embedded, EmbedTask } from '../embed-pictures.ts';
import type { Split, SplitTask } from '../split-picture.ts';

/** What each is given and gives, by its name. Files are in the request's directory. */
export interface PictureTasks {
  compress: { given: CompressTask; result: Compressed };
  split: { given: SplitTask; result: Split };
  embed: { given: EmbedTask; result: Embedded };
  measure: { given: PictureFile; result: MeasuredPicture };
  draw: { given: PageTask; result: number };
}

/** One picture to be read. */
export type PictureFile = Pick<OperationFile, 'name' | 'path' | 'size'>;
