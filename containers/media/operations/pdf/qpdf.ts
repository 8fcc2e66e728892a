/** Runs qpdf, which splits and merges PDF files. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProgramResult, runProgram } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';

const CEILING_SECONDS = 60;
/**
 * The maximum total length of the arguments in characters. Longer arguments are passed in a file, because Linux
 * guarantees only 128 KiB for the arguments and the environment of a program.
 */
const ARGUMENT_CHARACTERS = 60_000;
/** Exit code 3 means success with warnings. */
const OK_EXIT_CODES = [0, 3];

let counter = 0;

/** Runs qpdf inside the request's directory. Throws ProgramFailure, ToolError, or the signal's abort reason. */
export async function qpdf(
  qpdfArguments: readonly string[],
  context: OperationContext,
  okExitCodes = OK_EXIT_CODES,
  ceilingSeconds = CEILING_SECONDS,
): Promise<ProgramResult> {
  let given = qpdfArguments;
  const length = given.reduce((sum, argument) => sum + argument.length + 1, 0);
  if (length > ARGUMENT_CHARACTERS) {
    counter += 1;
    const path = join(context.directory, `arguments-${counter}`);
    await writeFile(path, given.join('\n'));
    given = [`@${path}`];
  }
  return runProgram('qpdf', given, {
    signal: context.signal,
    ...context.limit.within({ seconds: ceilingSeconds }),
    cwd: context.directory,
    okExitCodes,
  });
}

/** Formats page numbers, counted from 1, in qpdf's syntax, such as `1-3,7`. */
export function qpdfRange(pages: readonly number[]): string {
  const spans: string[] = [];
  for (let index = 0; index < pages.length; index += 1) {
    const first = pages[index] as number;
    let last = first;
    while (pages[index + 1] === last + 1) {
      index += 1;
      last += 1;
    }
    spans.push(first === last ? `${first}` : `${first}-${last}`);
  }
  return spans.join(',');
}
