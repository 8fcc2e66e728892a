/** Acquires the slot for large tasks. Each pool has one such slot, so it runs only one large task at a time. */
import { GO, type TaskReply } from './task.ts';

let hasSlot = false;

/** Marks the slot as released. Call this when a task begins, because the slot belonged to the previous task. */
export const releaseSlot = () => {
  hasSlot = false;
};

/**
 * Resolves when this process may continue. Resolves immediately outside a pool, or if the task already has the slot.
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
