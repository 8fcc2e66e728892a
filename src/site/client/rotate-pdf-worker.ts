/** Rotates pages of a PDF in a worker, so that a page stays responsive while a large file is read. */
import { rotatePages } from '../../tools/rotate_pdf/rotate-pages.ts';
import { errorText } from './parts/error-text.ts';
import type { RotateAnswer, RotateJob } from './parts/rotated-file.ts';

addEventListener('message', async ({ data, ports }: MessageEvent<RotateJob>) => {
  ports[0]!.postMessage(await answerTo(data));
});

async function answerTo({ file, rotations, total }: RotateJob): Promise<RotateAnswer> {
  try {
    return { bytes: await rotatePages(new Uint8Array(await file.arrayBuffer()), rotations, total) };
  } catch (error) {
    return { error: errorText(error) };
  }
}
