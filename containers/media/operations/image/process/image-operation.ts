/**
 * Defines an operation whose work is done in an image process. The work is defined in `NAME.work.ts` in the parent
 * folder.
 */
import type { Operation } from '../../operation.ts';
import { storedResult } from '../../stored-result.ts';
import { images } from './image-pool.ts';

export const imageOperation = (name: string): Operation => ({
  kind: 'image',
  prepare: () => images.warm(),
  async run(params, files, { directory, signal, limit }) {
    const task = { operation: name, params, files, directory };
    return storedResult(await images.run('work', task, signal, limit));
  },
});
