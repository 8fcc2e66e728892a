/** The operations on PDF files; each is a task of a document process. */
import { ToolError } from '../../../../src/core/errors.ts';
import type { Operation } from '../operation.ts';
import { storedResult } from '../stored-result.ts';
import { documents } from './process/document-pool.ts';
import { unchanged } from './unchanged.ts';

/** The rest of the operation's own limit is for the response: the caller then still gets the file back. */
const COMPRESS_LIMIT_MS = 100_000;

const operation = (name: 'compress' | 'merge' | 'parse' | 'split'): Operation => ({
  kind: 'pdf',
  prepare: () => documents.warm(),
  async run(params, files, { directory, signal, limit }) {
    return storedResult(await documents.run(name, { params, files, directory }, signal, limit));
  },
});

export const mergePdf = operation('merge');
export const parseDocument = operation('parse');
export const splitPdf = operation('split');

const compress = operation('compress');

export const compressPdf: Operation = {
  ...compress,
  async run(params, files, context) {
    const deadline = AbortSignal.timeout(COMPRESS_LIMIT_MS);
    try {
      const signal = AbortSignal.any([context.signal, deadline]);
      return await compress.run(params, files, { ...context, signal });
    } catch (error) {
      if (context.signal.aborted) throw error;
      const seconds = COMPRESS_LIMIT_MS / 1000;
      if (deadline.aborted) {
        return storedResult(unchanged(`compressing it takes longer than ${seconds} seconds`));
      }
      // Its process crashed, or a program took too long: the file itself may be valid.
      if (!(error instanceof ToolError && error.code === 'tool_failed')) throw error;
      return storedResult(
        unchanged('compressing it takes more memory or time than one file is given'),
      );
    }
  },
};
