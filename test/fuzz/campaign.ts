/**
 * Checks generated inputs until a maximum number of inputs or seconds is reached. Minimizes and saves the inputs that
 * fail.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';

export interface Extent {
  seed: number;
  /** The maximum number of inputs. */
  runs: number;
  /** The maximum number of seconds. If undefined, only the number of inputs is limited. */
  seconds?: number;
  /** The path of an earlier finding. It makes fast-check repeat the input of that finding. */
  path?: string;
  /** Whether to skip the minimization of failing inputs. */
  unshrunk?: boolean;
  /** Whether to continue with other inputs after a finding. */
  goesOn?: boolean;
}

export interface Finding {
  target: string;
  problem: string;
  seed: number;
  path: string;
  /** The path of the file that contains the input. */
  file: string;
}

/** The maximum number of findings per target, so that repeated findings do not use up the time. */
const MAX_FINDINGS = 4;
/** The number of inputs per seed. */
const RUNS_PER_SEED = 500;
/** The time limit for minimizing one input, in seconds. A step takes seconds if the input hangs. */
const SHRINK_SECONDS = 8;

/** Problems that differ only in numbers count as the same kind. */
const kindOf = (problem: string) => problem.replace(/\d+/g, '#').slice(0, 120);

/**
 * Checks inputs until a limit in `extent` is reached. The inputs are deterministic for a given seed, unless `seconds`
 * limits them.
 */
export async function campaign<Input>(
  target: string,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input) => Promise<string | null>,
  extent: Extent,
): Promise<{ runs: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  const known = new Set<string>();
  const end = extent.seconds === undefined ? undefined : Date.now() + extent.seconds * 1000;
  const isOver = () => end !== undefined && Date.now() > end;
  let tried = 0;
  for (let seed = extent.seed; tried < extent.runs && !isOver(); seed += 1) {
    let stopShrinking: number | undefined;
    const property = fc.asyncProperty(inputs, async (input) => {
      if (stopShrinking === undefined ? isOver() : Date.now() > stopShrinking) return;
      if (stopShrinking === undefined) tried += 1;
      const problem = await check(input);
      if (problem === null || known.has(kindOf(problem))) return;
      stopShrinking ??= Date.now() + SHRINK_SECONDS * 1000;
      throw new Error(problem);
    });
    const details = await fc.check(property, {
      seed,
      numRuns: Math.min(RUNS_PER_SEED, extent.runs - tried),
      ...(extent.path !== undefined && { path: extent.path }),
      endOnFailure: extent.path !== undefined || extent.unshrunk === true,
    });
    if (!details.failed || !details.counterexample) continue;
    const problem = (details.errorInstance as Error).message;
    const path = details.counterexamplePath ?? '';
    const file = save(target, details.counterexample[0]);
    findings.push({ target, problem, seed, path, file });
    known.add(kindOf(problem));
    if (!extent.goesOn || known.size === MAX_FINDINGS) break;
  }
  return { runs: tried, findings };
}

function save(target: string, input: unknown): string {
  const name = target.replace(/\W+/g, '-');
  const file = join(mkdtempSync(join(tmpdir(), 'tools-fuzz-')), `${name}.txt`);
  writeFileSync(file, typeof input === 'string' ? input : JSON.stringify(input, null, 2));
  return file;
}

/** Formats a finding for the report. */
export const shown = ({ target, problem, seed, path, file }: Finding): string =>
  `${target}: ${problem}\n  input: ${file}\n  again: npm run fuzz -- ${target} --seed ${seed} --path ${path}`;
