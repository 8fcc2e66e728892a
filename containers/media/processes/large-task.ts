/** A process asks before it goes on with a large task: of all processes of its pool only one does so at a time. */
import { GO, type TaskReply } from './task.ts';

let hasSlot = false;

/** To be called when a task begins: the place was that of the task before. */
export const releaseSlot = () => {
  hasSlot = false;
};

/** Resolves when this process may go on; once a task is enough. At once where it is no process of a pool. */
export async function slotForLargeTask(): Promise<void> {
  if (hasSlot || !process.send) return;
  const given = new Promise<void>((resolve) => {
    const onMessage = (message: unknown) => {
      if (message !== GO) return;
      process.off('message', onMessage);
      resolve();
    };
    process.on('message', onMessage);
  });
  process.send({ large: true } satisfies TaskReply);
  await given;
  hasSlot = true;
}
