import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readOutcome } from './test-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FILE = `
let tries = 0;
it('passes', () => {});
it('fails', () => expect(1).toBe(2));
describe.concurrent('together', () => {
  it('passes when repeated', () => expect(tries++).toBe(1));
});
describe('after a failed hook', () => {
  beforeAll(() => { throw new Error('the hook fails'); });
  it('does not run', () => {});
});`;

it('the report names the tests that passed on the second try', () => {
  writeFileSync(join(folder, 'a.test.js'), FILE);
  const report = join(folder, 'report.json');
  const options = ['--globals', '--retry=1', '--reporter=json', `--outputFile=${report}`];
  const { status } = spawnSync('vitest', ['run', '--root', folder, ...options]);
  expect(status).toBe(1);
  expect(readOutcome(report)).toEqual({
    passed: 2,
    failed: 1,
    repeated: [
      expect.stringMatching(/a\.test\.js: together passes when repeated \(AssertionError: .*\)$/),
    ],
  });
});

it('a missing report counts as a failure', () => {
  expect(readOutcome(join(folder, 'none.json'))).toEqual({ passed: 0, failed: 1, repeated: [] });
});
