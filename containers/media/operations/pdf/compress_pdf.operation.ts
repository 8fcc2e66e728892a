/**
 * Implements compress_pdf, which compresses a PDF in a document process. If the process crashes or exceeds a limit, the
 * result is the input.
 */
import { ToolError } from '../../../../src/core/errors.ts';
import type { Operation } from '../operation.ts';
import { storedResult } from '../stored-result.ts';
import { documentOperation } from './process/document-operation.ts';
import { unchanged } from './unchanged.ts';

/**
 * The time limit of the compression. It is shorter than the operation's limit, so that time remains to return the
 * input.
 */
const COMPRESS_LIMIT_MS = 100_000;

const compress = documentOperation('compress');

export const operation: Operation = {
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
        return storedResult(unchanged(`compression exceeded the time limit of ${seconds} seconds`));
      }
      // The process has crashed, or a program has taken too long. The file itself may be valid.
      if (!(error instanceof ToolError && error.code === 'tool_failed')) throw error;
      return storedResult(unchanged('compression exceeds the memory or time limit'));
    }
  },
};
