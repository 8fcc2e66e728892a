/** Runs all checks that do not need the service. Every step runs, even after a failure. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Each type check uses one thread, because the checks already run in parallel. */
const TYPES = ['--noEmit', '--checkers', '1', '-p'] as const;

type Step = [name: string, program: string, ...args: string[]];

/** These steps generate gitignored files that the sources import. */
const FIRST: Step[] = [
  ['site files', 'node', 'scripts/static-files.ts'],
  ['client and CLI files', 'node', 'scripts/client-files.ts'],
];

const STEPS: Step[] = [
  ['tools', 'node', 'scripts/tool-findings.ts'],
  ['documents', 'node', 'scripts/check-documents.ts'],
  ['names', 'node', 'scripts/check-names.ts'],
  ['generated files', 'node', 'scripts/gen.ts', '--check'],
  ['Worker types', 'tsc', ...TYPES, '.'],
  ['browser script types', 'tsc', ...TYPES, 'src/site/client'],
  ['client and CLI types', 'tsc', ...TYPES, 'src/client'],
  ['media worker types', 'tsc', ...TYPES, 'containers'],
  ['script types', 'tsc', ...TYPES, 'scripts'],
  ['test types', 'tsc', ...TYPES, 'test'],
  [
    'lint and format (npm run format fixes most of it)',
    'biome',
    'check',
    '--error-on-warnings',
    '.',
  ],
  ['dead code', 'knip'],
  ['lock file', 'node', 'scripts/complete-lock.mjs', '--check'],
];

/**
 * Runs a step and prints its output when it finishes. The output of concurrent steps would otherwise be interleaved.
 */
async function passes([name, program, ...args]: Step): Promise<boolean> {
  const started = Date.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => output.push(bytes));
  }
  const status = await new Promise((resolve) => {
    child.once('error', resolve).once('close', resolve);
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (status !== 0) process.stdout.write(Buffer.concat(output));
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  return status === 0;
}

const first = await Promise.all(FIRST.map(passes));
let failed = first.filter((passed) => !passed).length;
const waiting = [...STEPS];

async function work(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    if (!(await passes(step))) failed += 1;
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
process.exit(failed > 0 ? 1 : 0);
