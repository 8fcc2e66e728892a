/** Starts the program that writes many parts of a PDF, and says what became of it. */
import { join } from 'node:path';
import { failed, ToolError } from '../../../../src/core/errors.ts';
import { LARGE_PAGES } from '../../large-pages.ts';
import { ProgramFailure, runProgram } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';

const TIME_LIMIT_MS = 60_000;
const PROGRAM = join(import.meta.dirname, 'write-parts.ts');
/** What runProgram throws when the time is over. */
const OVER_TIME = 422;

export interface PartsTask {
  /** The path of the file. */
  input: string;
  /** Whether pages may share their resources: it is known that they do, or that it cannot be helped. */
  mayShare: boolean;
  /** Each with the path to write, and its pages, from 1, each once. */
  parts: { path: string; pages: number[] }[];
  /** Of all parts together. */
  mostBytes: number;
}

export type PartsReply =
  /** Bytes of the parts. */
  { sizes: number[] } | { problem: 'shared' | 'damaged' | 'too large' };

/** Throws ToolError 422 where it takes more time or memory than is fair, 503, or the reason of an abort. */
export async function writeParts(task: PartsTask, context: OperationContext): Promise<PartsReply> {
  try {
    const { stdout } = await runProgram('node', [PROGRAM], {
      signal: context.signal,
      timeLimitMs: TIME_LIMIT_MS,
      cwd: context.directory,
      environment: LARGE_PAGES,
      input: Promise.resolve(JSON.stringify(task)),
    });
    return JSON.parse(stdout.toString('utf8'));
  } catch (error) {
    const isOverTime = error instanceof ToolError && error.status === OVER_TIME;
    if (!isOverTime && !(error instanceof ProgramFailure && error.lacksMemory)) throw error;
    throw failed(
      'The structure of the PDF is too large for so many parts. Ask for fewer ranges at a time.',
    );
  }
}
