/** The program that recodes images of a PDF, started before the images are known. */
import { join } from 'node:path';
import { CORES } from '../../cores.ts';
import { LARGE_PAGES } from '../../large-pages.ts';
import { type ProgramResult, runProgram } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';
import type { ShownImage } from './shown-images.ts';

const CEILING = { seconds: 60, cores: CORES };
const PROGRAM = join(import.meta.dirname, 'recode-images.ts');

export interface RecodeTask {
  /** Paths of the file and of the output. */
  input: string;
  output: string;
  images: ShownImage[];
}

export class Recoder {
  readonly #context: OperationContext;
  readonly #task = Promise.withResolvers<string>();
  #run: Promise<ProgramResult> | undefined;

  constructor(context: OperationContext) {
    this.#context = context;
  }

  /** Starting takes a fifth of a second of CPU, which runs while the file is analysed. */
  start(): void {
    const { signal, directory, limit } = this.#context;
    this.#run ??= runProgram('node', [PROGRAM], {
      signal,
      ...limit.within(CEILING),
      cwd: directory,
      environment: LARGE_PAGES,
      input: this.#task.promise,
    });
    // If there is nothing to recode, nothing awaits this promise, and the program ends with its context.
    this.#run.catch(() => undefined);
  }

  /**
   * Returns how many images it has recoded into `output`. Throws ProgramFailure, ToolError, or the reason of an abort.
   */
  async recode(task: RecodeTask): Promise<number> {
    this.start();
    this.#task.resolve(JSON.stringify(task));
    const { stdout } = await this.#run!;
    return Number(stdout);
  }
}
