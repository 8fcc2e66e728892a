/** Queues large images, so that only one is processed at a time. */
import { slotForLargeTask } from '../../processes/large-task.ts';
import type { TaskReply } from '../../processes/task.ts';

/** The minimum number of pixels of a large image. Each pixel may take 36 bytes of memory (AVIF). */
const LARGE_PIXELS = 25_000_000;

/** CPU seconds. The slowest work, encoding AVIF with full colors, took 2.4. */
const SECONDS_PER_MEGAPIXEL = 3;

export const isLarge = (pixels: number) => pixels >= LARGE_PIXELS;

/**
 * Adds the pixels to the task's limit. Resolves when this process may continue, which is at once
 * unless the image is large.
 */
export const permissionFor = async (pixels: number): Promise<void> => {
  process.send?.({ allow: (pixels / 1e6) * SECONDS_PER_MEGAPIXEL } satisfies TaskReply);
  if (isLarge(pixels)) await slotForLargeTask();
};
