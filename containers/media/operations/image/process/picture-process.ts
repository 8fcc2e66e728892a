/** A process that decodes and encodes pictures, so that no picture can take the media worker down or hang it. */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveTasks } from '../../../processes/serve-tasks.ts';
import { embedPictures } from '../embed-pictures.ts';
import { drawPage, measurePicture } from '../page-picture.ts';
import type { PictureTasks, PictureWork, WorkTask } from './picture-tasks.ts';

const FOLDER = join(import.meta.dirname, '..');

/** Imported at the start, so that a waiting process has them ready. */
const WORKS = new Map(
  await Promise.all(
    globSync('*.work.ts', { cwd: FOLDER }).map(async (file): Promise<[string, PictureWork]> => {
      const { work } = await import(pathToFileURL(join(FOLDER, file)).href);
      return [basename(file, '.work.ts'), work];
    }),
  ),
);

serveTasks<PictureTasks>({
  async work({ operation, params, files, directory }: WorkTask) {
    const work = WORKS.get(operation);
    if (!work) throw new Error(`no work of ${operation}`);
    return work(params, files, directory);
  },
  embed: embedPictures,
  measure: measurePicture,
  draw: drawPage,
});
