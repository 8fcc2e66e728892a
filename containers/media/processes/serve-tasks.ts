/** Runs tasks in a pool process, one at a time. */
import { ToolError } from '../../../src/core/errors.ts';
import { hasBrokenProgram } from '../run-program.ts';
import { releaseSlot } from './large-task.ts';
import { GO, type TaskMessage, type TaskOutcome, type TaskReply, type Tasks } from './task.ts';

type Performers<All extends Tasks<All>> = {
  [Name in keyof All]: (given: All[Name]['given']) => Promise<All[Name]['result']>;
};

/** Runs tasks until the media worker exits. */
export function serveTasks<All extends Tasks<All>>(performers: Performers<All>): void {
  const perform = async ({ name, given }: TaskMessage<All>): Promise<TaskOutcome> => {
    releaseSlot();
    try {
      return { result: await performers[name](given) };
    } catch (error) {
      if (error instanceof ToolError) {
        const { code, message, status, param, retryAfter, details, extra } = error;
        const told = { status, param, details };
        const more = { ...(retryAfter !== undefined && { retryAfter }), ...(extra && { extra }) };
        return { error: { code, message, details: { ...told, ...more } } };
      }
      return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  process.on('message', async (message: TaskMessage<All> | typeof GO) => {
    if (message === GO) return;
    process.send?.({ received: true } satisfies TaskReply);
    const outcome = await perform(message);
    process.send?.({ ...outcome, spent: hasBrokenProgram() } satisfies TaskReply);
  });
  process.on('disconnect', () => process.exit(0));
}
