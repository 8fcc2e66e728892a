/** Pictures that one process alone may work on at a time. */
import { placeForLargeTask } from '../../processes/large-task.ts';
import type { TaskReply } from '../../processes/task.ts';

/** Pixels from which a picture is large: some 36 bytes each are needed at worst (AVIF). */
const LARGE_PIXELS = 25_000_000;

/** CPU seconds that the slowest work on a megapixel may take: AVIF takes half of it. */
const SECONDS_PER_MEGAPIXEL = 1;

/** Takes pixels into the limit of the task. Resolves when this process may go on: at once for pictures that are not large. */
export const permissionFor = async (pixels: number): Promise<void> => {
  process.send?.({ allow: (pixels / 1e6) * SECONDS_PER_MEGAPIXEL } satisfies TaskReply);
  if (pixels >= LARGE_PIXELS) await placeForLargeTask();
};
