/** Pictures that one process alone may work on at a time. */
import { placeForLargeTask } from '../../processes/large-task.ts';

/** Pixels from which a picture is large: some 36 bytes each are needed at worst (AVIF). */
const LARGE_PIXELS = 25_000_000;

/** Resolves when this process may go on: at once for pictures that are not large. */
export const permissionFor = async (pixels: number): Promise<void> => {
  if (pixels >= LARGE_PIXELS) await placeForLargeTask();
};
