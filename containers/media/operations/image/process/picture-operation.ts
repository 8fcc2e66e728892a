/** An operation whose work is done in a picture process: `work` of the file `NAME.work.ts` beside this folder. */
import type { Operation } from '../../operation.ts';
import { storedResult } from '../../stored-result.ts';
import { pictures } from './picture-pool.ts';

export const pictureOperation = (name: string): Operation => ({
  kind: 'image',
  prepare: () => pictures.warm(),
  async run(params, files, { directory, signal, limit }) {
    const task = { operation: name, params, files, directory };
    return storedResult(await pictures.run('work', task, signal, limit));
  },
});
