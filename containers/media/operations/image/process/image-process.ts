/** The entry of a process that decodes and encodes images, so that no image can crash or block the media worker. */
import { serveTasks } from '../../../processes/serve-tasks.ts';
import { compressImage } from '../compress-image.ts';
import { embedImages } from '../embed-images.ts';
import { drawPage, measureImage } from '../page-image.ts';
import { splitImage } from '../split-image.ts';
import type { ImageTasks } from './image-tasks.ts';

serveTasks<ImageTasks>({
  compress: compressImage,
  embed: embedImages,
  split: splitImage,
  measure: measureImage,
  draw: drawPage,
});
