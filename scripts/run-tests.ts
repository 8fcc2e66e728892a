/** Runs the checks and every test, and prints their totals in the last line. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'tools-report-'));
const report = join(folder, 'report.json');
const check = spawnSync(process.execPath, ['scripts/checks.ts'], { stdio: 'inherit' });
const tests = spawnSync(
  'vitest',
  [
    'run',
    '--project=!long',
    '--project=!image',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ],
  { stdio: 'inherit' },
);
const { numPassedTests, numFailedTests } = readReport();
rmSync(folder, { recursive: true });
const failed = numFailedTests + (check.status === 0 ? 0 : 1);
const unexplained = tests.status !== 0 && numFailedTests === 0 ? 1 : 0;
console.log(`\n${numPassedTests} passed, ${failed + unexplained} failed`);
process.exit(failed + unexplained > 0 ? 1 : 0);

function readReport(): { numPassedTests: number; numFailedTests: number } {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1 };
  }
}
