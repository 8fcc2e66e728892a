/** Encodes an image in a worker for the preview of compress_image. */
import { drawnImage, type PreviewJob } from './parts/drawn-image.ts';

addEventListener('message', async ({ data }: MessageEvent<PreviewJob>) => {
  // An image that the browser cannot read has no preview.
  postMessage(await drawnImage(data).catch(() => undefined));
});
