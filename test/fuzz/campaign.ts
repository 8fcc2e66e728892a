/** Runs generated inputs against a judge, for a number of inputs or of seconds; keeps what failed, made small. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';

export interface Extent {
  seed: number;
  /** Inputs at most. */
  runs: number;
  /** Seconds at most; absent where the number of inputs alone decides. */
  seconds?: number;
  /** One counterexample again: what a finding says of itself. */
  path?: string;
  /** Leaves a failing input as it was found. */
  unshrunk?: boolean;
  /** Whether to go on after a finding, with other inputs. */
  goesOn?: boolean;
}

export interface Finding {
  target: string;
  problem: string;
  seed: number;
  path: string;
  /** The file that holds the input. */
  file: string;
}

/** Of one target: what is found again and again takes the time of what is not. */
const MOST_FINDINGS = 4;
/** A seed gives so many inputs; then the next one follows. */
const RUNS_PER_SEED = 500;
/** Shrinking an input that hangs costs seconds a step. */
const SHRINK_SECONDS = 8;

/** Two problems of one kind differ in their numbers. */
const kindOf = (problem: string) => problem.replace(/\d+/g, '#').slice(0, 120);

/** Tries inputs until the extent is spent. Deterministic by its seed but for `seconds`. */
export async function campaign<Input>(
  target: string,
  inputs: fc.Arbitrary<Input>,
  judge: (input: Input) => Promise<string | null>,
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
      const problem = await judge(input);
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
    if (!extent.goesOn || known.size === MOST_FINDINGS) break;
  }
  return { runs: tried, findings };
}

function save(target: string, input: unknown): string {
  const name = target.replace(/\W+/g, '-');
  const file = join(mkdtempSync(join(tmpdir(), 'tools-fuzz-')), `${name}.txt`);
  writeFileSync(file, typeof input === 'string' ? input : JSON.stringify(input, null, 2));
  return file;
}

/** A finding as it is shown. */
export const shown = ({ target, problem, seed, path, file }: Finding): string =>
  `${target}: ${problem}\n  input: ${file}\n  again: npm run fuzz -- ${target} --seed ${seed} --path ${path}`;
