/** Images that one process alone may work on at a time. */
import { slotForLargeTask } from '../../processes/large-task.ts';
import type { TaskReply } from '../../processes/task.ts';

/** Pixels from which an image is large: some 36 bytes each are needed at worst (AVIF). */
const LARGE_PIXELS = 25_000_000;

/** The slowest work, encoding AVIF, takes half of this in CPU seconds. */
const SECONDS_PER_MEGAPIXEL = 1;

/** Adds the pixels to the task's limit. Resolves when this process may go on: at once unless the image is large. */
export const permissionFor = async (pixels: number): Promise<void> => {
  process.send?.({ allow: (pixels / 1e6) * SECONDS_PER_MEGAPIXEL } satisfies TaskReply);
  if (pixels >= LARGE_PIXELS) await slotForLargeTask();
};
