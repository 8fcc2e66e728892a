/** The official conformance suite, for each protocol version that it supports, against committed baselines. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestWorker } from '../support/test-worker.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'tools-conformance-'));
let worker: Awaited<ReturnType<typeof startTestWorker>>;

beforeAll(async () => {
  worker = await startTestWorker(
    'test/mcp/conformance-worker/wrangler.toml',
    join(folder, 'bundle'),
  );
});
afterAll(async () => {
  await worker.stop();
  rmSync(folder, { recursive: true });
});

it.each([
  ['2025-06-18', '--spec-version'],
  ['2025-11-25', '--requirements'],
  ['2026-07-28', '--requirements'],
])('conforms to %s', async (version, selection) => {
  const { stdout } = await run('node_modules/.bin/conformance', [
    'server',
    ...['--url', `${worker.url.origin}/api/mcp`, selection, version],
    ...['--expected-failures', `test/mcp/conformance-baseline/${version}.yml`],
    ...['-o', join(folder, version)],
  ]).catch((error: { stdout: string }) => error);
  expect(stdout).toContain('Baseline check passed');
});
