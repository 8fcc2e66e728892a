/** Defines an operation that is one task of a document process. */
import type { Operation } from '../../operation.ts';
import { storedResult } from '../../stored-result.ts';
import { documents } from './document-pool.ts';

export const documentOperation = (task: 'compress' | 'merge' | 'parse' | 'split'): Operation => ({
  kind: 'pdf',
  prepare: () => documents.warm(),
  async run(params, files, { directory, signal, limit, progress }) {
    const given = { params, files, directory };
    return storedResult(await documents.run(task, given, signal, limit, progress));
  },
});
