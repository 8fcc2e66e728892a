/** Starts the program that recodes a PDF's images (recode-images.ts). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CORES } from '../../cores.ts';
import { log } from '../../log.ts';
import { PdfDocument } from '../../pdf/document.ts';
import type { Level } from '../../pdf/image-scale.ts';
import { compileCache } from '../../processes/compile-cache.ts';
import { ProgramFailure } from '../../program-failure.ts';
import { runProgram } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';
import type { ShownImage } from './shown-images.ts';

const CEILING = { seconds: 60, cores: CORES };
const PROGRAM = join(import.meta.dirname, 'recode-images.ts');

export interface RecodeTask {
  /** The path of the PDF. */
  input: string;
  output: string;
  images: ImageToRecode[];
  level: Level;
}

export interface ImageToRecode extends ShownImage {
  /** The path of the image as decoded by poppler, for formats that we do not decode. */
  drawing?: string;
}

/** Node's exit code after an uncaught error. */
const UNCAUGHT = 1;

/**
 * Returns the document with its images recoded, or undefined if that saves nothing. Throws PdfDamage, ProgramFailure,
 * ToolError, or the signal's abort reason.
 */
export async function recodeImages(
  task: RecodeTask,
  context: OperationContext,
): Promise<PdfDocument | undefined> {
  const { signal, directory, limit } = context;
  const { stdout } = await runProgram('node', [PROGRAM], {
    signal,
    ...limit.within(CEILING),
    cwd: directory,
    input: JSON.stringify(task),
    environment: compileCache(),
  }).catch(reportOwnError);
  if (Number(stdout) === 0) return undefined;
  return new PdfDocument(await readFile(task.output));
}

/**
 * Logs an error in our code. The program ignores damaged images, so an uncaught error is ours, unless it ran out of
 * memory.
 */
function reportOwnError(error: unknown): never {
  const isUncaught = error instanceof ProgramFailure && error.exitCode === UNCAUGHT;
  if (isUncaught && !error.lacksMemory) {
    log({ event: 'images-not-recoded', level: 'error', cause: error.stderr });
  }
  throw error;
}
