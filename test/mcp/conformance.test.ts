/**
 * Runs the official MCP conformance suite for each protocol version that it supports. The results must match committed
 * baselines.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Scenarios that fail only at /api/mcp, because it has no resources. They must pass at the endpoint for agents. */
const RESOURCES = ['resources-list', 'sep-2164-resource-not-found'];

/** Returns the path of a file with the expected failures of an endpoint. */
function baselineOf(version: string, path: string): string {
  const file = `test/mcp/conformance-baseline/${version}.yml`;
  if (path === '/api/mcp') return file;
  const lines = readFileSync(file, 'utf8').split('\n');
  const remaining = lines.filter((line) => !RESOURCES.includes(line.replace('  - ', '')));
  const own = join(folder, `${version}.yml`);
  // This tool stores an image, but the test Worker has no storage. agent-endpoint.test.ts covers the case.
  writeFileSync(own, `${remaining.join('\n').trimEnd()}\n  - tools-call-image\n`);
  return own;
}

it.each([
  ['2025-06-18', '--spec-version', '/api/mcp'],
  ['2025-11-25', '--requirements', '/api/mcp'],
  ['2026-07-28', '--requirements', '/api/mcp'],
  ['2025-11-25', '--requirements', '/api/agent/mcp'],
  ['2026-07-28', '--requirements', '/api/agent/mcp'],
])('the conformance suite of %s passes with %s at %s', async (version, selection, path) => {
  const { stdout } = await run('node_modules/.bin/conformance', [
    'server',
    ...['--url', worker.url.origin + path, selection, version],
    ...['--expected-failures', baselineOf(version, path)],
    ...['-o', join(folder, version, path)],
  ]).catch((error: { stdout: string }) => error);
  expect(stdout).toContain('Baseline check passed');
});
