/** A picture process asks before it works on a large picture: of all processes only one does so at a time. */
import { GO, type TaskReply } from '../../../processes/task.ts';

/** Pixels from which a picture is large: some 36 bytes each are needed at worst (AVIF). */
const LARGE_PIXELS = 25_000_000;

let permittedTask = false;

/** To be called when a task begins: the permission of the last one is over. */
export const forgetPermission = () => {
  permittedTask = false;
};

/** Resolves when this process may go on: at once for pictures that are not large. Once a task is enough. */
export async function permissionFor(pixels: number): Promise<void> {
  if (pixels < LARGE_PIXELS || permittedTask || !process.send) return;
  const permitted = new Promise<void>((resolve) => {
    const onMessage = (message: unknown) => {
      if (message !== GO) return;
      process.off('message', onMessage);
      resolve();
    };
    process.on('message', onMessage);
  });
  process.send({ large: true } satisfies TaskReply);
  await permitted;
  permittedTask = true;
}
