/** Requests the slot for large tasks. In each pool, only one large task runs at a time. */
import { GO, type TaskReply } from './task.ts';

let hasSlot = false;

/** Must be called when a task begins, because the slot belonged to the previous task. */
export const releaseSlot = () => {
  hasSlot = false;
};

/**
 * Resolves when this process may continue. One call per task is enough. Resolves at once outside a
 * pool.
 */
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
