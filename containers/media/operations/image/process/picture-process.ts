/** A process that decodes and encodes pictures, so that no picture can take the media worker down or hang it. */
import { serveTasks } from '../../../processes/serve-tasks.ts';
import { compressPicture } from '../compress-picture.ts';
import { embedPictures } from '../embed-pictures.ts';
import { drawPage, measurePicture } from '../page-picture.ts';
import { splitPicture } from '../split-picture.ts';
import type { PictureTasks } from './picture-tasks.ts';

serveTasks<PictureTasks>({
  compress: compressPicture,
  embed: embedPictures,
  split: splitPicture,
  measure: measurePicture,
  draw: drawPage,
});
