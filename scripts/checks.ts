/** All checks that do not run the service. Every step runs, even after a failure. */
import { spawnSync } from 'node:child_process';
import { writeSiteFiles } from './static-files.ts';

const STEPS: [name: string, program: string, ...args: string[]][] = [
  ['types of the Worker', 'tsc', '--noEmit', '-p', '.'],
  ['types of the site’s scripts', 'tsc', '--noEmit', '-p', 'src/site/client'],
  ['types of the media worker', 'tsc', '--noEmit', '-p', 'containers'],
  ['types of the scripts', 'tsc', '--noEmit', '-p', 'scripts'],
  ['types of the tests', 'tsc', '--noEmit', '-p', 'test'],
  ['lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  ['names', 'node', 'scripts/check-names.ts'],
  ['generated files', 'node', 'scripts/gen.ts', '--check'],
  ['dead code', 'knip'],
  ['lock file', 'node', 'scripts/complete-lock.mjs', '--check'],
];

// The Worker imports the list of the site's files.
writeSiteFiles();
const failed = STEPS.filter(([name, program, ...args]) => {
  const started = Date.now();
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  return status !== 0;
});
process.exit(failed.length > 0 ? 1 : 0);
