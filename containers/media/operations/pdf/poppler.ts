/** Runs poppler's programs. Poppler is independent of the program that wrote the PDF. */
import { type ProgramResult, runProgram } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';

const CEILING = { seconds: 90 };
/**
 * The limit for standard output in bytes. pdfimages prints about 100 bytes per image, so 160,000 images are allowed.
 */
const STDOUT_BYTES = 16 * 1024 * 1024;

/** Throws ProgramFailure, ToolError, or the signal's abort reason. */
export const poppler = (
  program: 'pdfimages' | 'pdfinfo' | 'pdftoppm' | 'pdftotext',
  programArguments: readonly string[],
  context: OperationContext,
): Promise<ProgramResult> =>
  runProgram(program, programArguments, {
    signal: context.signal,
    ...context.limit.within(CEILING),
    cwd: context.directory,
    stdoutBytes: STDOUT_BYTES,
  });
