/** Starts the service for the whole-system tests as `npm start` does, with its own state, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';
import { EXAMPLE_HOST, EXAMPLE_SITE } from './example-site.ts';
import { restoreDatabase, saveDatabase } from './local-database.ts';
import { startModelServer } from './model-server.ts';
import { openUpstream } from './upstream.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stateDir = mkdtempSync(join(tmpdir(), 'tools-test-'));
  const begun = mkdtempSync(join(tmpdir(), 'tools-begun-'));
  const models = await startModelServer();
  const upstream = await openUpstream({
    '/': `<!doctype html><title>A test page</title><link rel=icon href='data:image/svg+xml,<svg/>'><h1>Hello`,
    ...EXAMPLE_SITE,
  });
  const upstreamAddress = `127.0.0.1:${upstream.port}`;
  const { child, baseUrl } = await startService({
    STATE_DIR: stateDir,
    EGRESS_HOSTS: JSON.stringify({ 'page.test': upstreamAddress, [EXAMPLE_HOST]: upstreamAddress }),
    ALLOWED_ORIGINS: 'https://example.com, https://claude.ai, vscode-webview://abc',
    OPENAI_BASE_URL: models.url,
    MODEL_TEXT: 'writer',
    MODEL_IMAGE: 'painter',
    MODEL_VISION: 'viewer',
    MODEL_EMBED: 'embedder',
  });
  await saveDatabase(stateDir, begun);
  project.provide('baseUrl', baseUrl);
  project.provide('servicePid', child.pid!);
  project.provide('modelServer', models.url);
  project.provide('stateDir', stateDir);
  return async () => {
    await stopService(child);
    await models.stop();
    await upstream.close();
    for (const folder of [stateDir, begun]) rmSync(folder, { recursive: true, force: true });
  };
}

/** Starts the service on a free port and waits until it prints its address. */
export function startService(
  env: Record<string, string>,
): Promise<{ child: ChildProcess; baseUrl: string }> {
  if (env.STATE_DIR) restoreDatabase(env.STATE_DIR);
  const child = spawn(process.execPath, ['scripts/serve.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // One address makes all calls; limits have their own tests.
    env: serviceEnvironment({ PORT: '0', RATE_LIMITS: 'off', ...env }),
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const baseUrl = /The service is at (\S+)/.exec(line)?.[1];
      if (baseUrl) resolve({ child, baseUrl });
    });
  });
}

/** This process's environment without the service settings that vitest sets. */
export function serviceEnvironment(env: Record<string, string>): NodeJS.ProcessEnv {
  const { BASE_URL: _, ...others } = process.env;
  return { ...others, ...env };
}

/** Stops a service and waits for its end. */
export function stopService(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
