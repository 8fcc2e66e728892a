/**
 * The entry point of a process that decodes and encodes images, so that no image can crash or block the media worker.
 */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveTasks } from '../../../processes/serve-tasks.ts';
import { embedImages } from '../embed-images.ts';
import { drawPage, measurePageImage } from '../page-image.ts';
import { cleanPage } from '../scanned-page/page-cleaning.ts';
import { rotatePage } from '../scanned-page/rotate-page.ts';
import { unreadInk } from '../scanned-page/unread-ink.ts';
import type { ImageTasks, ImageWork, WorkTask } from './image-tasks.ts';

const FOLDER = join(import.meta.dirname, '..');

/** The modules are imported at startup, so that an idle process can start a task immediately. */
const WORKS = new Map(
  await Promise.all(
    globSync('*.work.ts', { cwd: FOLDER }).map(async (file): Promise<[string, ImageWork]> => {
      const { work } = await import(pathToFileURL(join(FOLDER, file)).href);
      return [basename(file, '.work.ts'), work];
    }),
  ),
);

serveTasks<ImageTasks>({
  async work({ operation, params, files, directory }: WorkTask) {
    const work = WORKS.get(operation);
    if (!work) throw new Error(`unknown operation ${operation}`);
    return work(params, files, directory);
  },
  embed: embedImages,
  measure: measurePageImage,
  draw: drawPage,
  clean: cleanPage,
  rotate: rotatePage,
  unread: unreadInk,
});
