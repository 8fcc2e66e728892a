/**
 * Runs the checks and all tests except the long ones and those of the images, and prints the totals on the last line.
 * With arguments, skips the checks, and passes the arguments to Vitest, which runs only the tests that they select.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOutcome } from './test-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-report-'));
const report = join(folder, 'report.json');
const selection = process.argv.slice(2);
const check =
  selection.length > 0
    ? undefined
    : spawnSync(process.execPath, ['scripts/checks.ts'], { stdio: 'inherit' });
const tests = spawnSync(
  'vitest',
  [
    'run',
    '--project=!long',
    '--project=!image',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...selection,
  ],
  { stdio: 'inherit' },
);
const outcome = readOutcome(report);
rmSync(folder, { recursive: true });
const failed = outcome.failed + ((check?.status ?? 0) === 0 ? 0 : 1);
const unexplained = tests.status !== 0 && outcome.failed === 0 ? 1 : 0;
for (const test of outcome.repeated) console.log(`passed on the second try: ${test}`);
console.log(`\n${outcome.passed} passed, ${failed + unexplained} failed`);
process.exit(failed + unexplained > 0 ? 1 : 0);
