/** A process that decodes and encodes pictures, so that no picture can take the media worker down or hang it. */
import { ToolError } from '../../../../src/core/errors.ts';
import { drawPage, measurePicture } from '../ocr/page-picture.ts';
import { compressPicture } from './compress-picture.ts';
import { embedPictures } from './embed-pictures.ts';
import { forgetPermission } from './large-pictures.ts';
import type { PictureTasks, TaskMessage, TaskName, TaskReply } from './picture-task.ts';
import { splitPicture } from './split-picture.ts';

const TASKS: {
  [Name in TaskName]: (given: PictureTasks[Name]['given']) => Promise<PictureTasks[Name]['result']>;
} = {
  compress: compressPicture,
  embed: embedPictures,
  split: splitPicture,
  measure: measurePicture,
  draw: drawPage,
};

const reply = (message: TaskReply) => process.send?.(message);

async function perform({ name, given }: TaskMessage): Promise<TaskReply> {
  forgetPermission();
  try {
    return { result: await TASKS[name](given as never) };
  } catch (error) {
    if (error instanceof ToolError) {
      const { code, message, status, param } = error;
      return { error: { code, message, details: { status, param } } };
    }
    return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.on('message', async (message: TaskMessage | 'go') => {
  if (message !== 'go') reply(await perform(message));
});
process.on('disconnect', () => process.exit(0));
