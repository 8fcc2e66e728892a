/** Limits the processing of large images to one image at a time. */
import { slotForLargeTask } from '../../processes/large-task.ts';
import type { TaskReply } from '../../processes/task.ts';

/** An image with at least this many pixels is large. AVIF encoding can take 36 bytes of memory per pixel. */
const LARGE_PIXELS = 25_000_000;

/**
 * The CPU seconds allowed per megapixel. The slowest measured operation, AVIF encoding with 4:4:4 colors, took 2.4
 * seconds per megapixel.
 */
const SECONDS_PER_MEGAPIXEL = 3;

export const isLarge = (pixels: number) => pixels >= LARGE_PIXELS;

/**
 * Adds time for the pixels to the task's CPU limit. Resolves when this process may continue. Only large images have to
 * wait.
 */
export const permissionFor = async (pixels: number): Promise<void> => {
  process.send?.({ allow: (pixels / 1e6) * SECONDS_PER_MEGAPIXEL } satisfies TaskReply);
  if (isLarge(pixels)) await slotForLargeTask();
};
