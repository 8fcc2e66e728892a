/** What passes between the media worker and its picture processes. */
import type { ErrorCode, ErrorDetails } from '../../../../src/core/errors.ts';
import type { MeasuredPicture, PageTask } from '../ocr/page-picture.ts';
import type { OperationFile } from '../operation.ts';
import type { Compressed, CompressTask } from './compress-picture.ts';
import type { Embedded, EmbedTask } from './embed-pictures.ts';
import type { Split, SplitTask } from './split-picture.ts';

/** What each task is given and gives, by its name. Files are in the request's directory. */
export interface PictureTasks {
  compress: { given: CompressTask; result: Compressed };
  split: { given: SplitTask; result: Split };
  embed: { given: EmbedTask; result: Embedded };
  measure: { given: PictureFile; result: MeasuredPicture };
  draw: { given: PageTask; result: number };
}

export type TaskName = keyof PictureTasks;

export interface TaskMessage<Name extends TaskName = TaskName> {
  name: Name;
  given: PictureTasks[Name]['given'];
}

export type TaskReply =
  /** Comes before the others: the picture that is being read, for the message if this process dies of it. */
  | { reading: string }
  /** Asks for the one place for large pictures; the answer is 'go'. */
  | { large: true }
  | { result: unknown }
  | { error: { code: ErrorCode; message: string; details: Pick<ErrorDetails, 'status' | 'param'> } }
  /** A defect of ours. */
  | { defect: string };

/** One picture to be read. */
export type PictureFile = Pick<OperationFile, 'name' | 'path' | 'size'>;
