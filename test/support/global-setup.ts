/**
 * Starts the service for the whole-system tests as `npm start` does, with separate state, and stops it after the tests.
 * The project `image` runs the image of the service instead.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../scripts/media-worker.ts';
import { EXAMPLE_HOST, EXAMPLE_SITE } from './example-site.ts';
import { restoreDatabase, saveDatabase } from './local-database.ts';
import { startModelServer } from './model-server.ts';
import { runImage } from './service-image.ts';
import { ServiceLog } from './service-log.ts';
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
  const settings = {
    LOG_SUCCESSES: '1',
    EGRESS_HOSTS: JSON.stringify({ 'page.test': upstreamAddress, [EXAMPLE_HOST]: upstreamAddress }),
    ALLOWED_ORIGINS: 'https://example.com, https://claude.ai, vscode-webview://abc',
    OPENAI_BASE_URL: models.url,
    MODEL_TEXT: 'writer',
    MODEL_IMAGE: 'painter',
    MODEL_VISION: 'viewer',
    MODEL_EMBED: 'embedder',
  };
  const container = project.name === 'image' ? `tools-image-${process.pid}` : null;
  const { child, baseUrl } = container
    ? await startImage(container, settings)
    : await startService({ STATE_DIR: stateDir, ...settings });
  if (!container) await saveDatabase(stateDir, begun);
  project.provide('baseUrl', baseUrl);
  project.provide('container', container);
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

const logs = new WeakMap<ChildProcess, ServiceLog>();

interface StartedService {
  child: ChildProcess;
  baseUrl: string;
  log: ServiceLog;
}

/** Rate limits are disabled, because all test calls come from one address. Separate tests cover the limits. */
const FOR_TESTS = { PORT: '0', RATE_LIMITS: 'off' };

/** Starts the service on a free port and waits until it prints its address. */
export function startService(env: Record<string, string>): Promise<StartedService> {
  if (env.STATE_DIR) restoreDatabase(env.STATE_DIR);
  const child = spawn(process.execPath, ['scripts/serve.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: serviceEnvironment({ ...FOR_TESTS, ...env }),
  });
  return addressOf(child, env);
}

/**
 * Starts the service's image. It listens on loopback, as EGRESS_HOSTS requires, and on a fixed port for the health
 * check.
 */
async function startImage(container: string, env: Record<string, string>): Promise<StartedService> {
  const settings = {
    ...FOR_TESTS,
    PORT: String(await freePort()),
    HOST: 'localhost',
    BASE_URL: '',
    ...env,
  };
  return addressOf(runImage(container, settings), env);
}

/** Waits until the service prints its address. */
function addressOf(child: ChildProcess, env: Record<string, string>): Promise<StartedService> {
  const secrets = Object.entries(env).filter(([name]) => /SECRET|TOKEN|KEY/.test(name));
  const log = new ServiceLog(secrets.map(([, value]) => value));
  logs.set(child, log);
  log.collect(child.stderr!, (line) => process.stderr.write(`${line}\n`));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      reject(
        new Error(
          `The service exited with ${code} before it was ready. Its error output is above.`,
        ),
      ),
    );
    log.collect(child.stdout!, (line) => {
      const baseUrl = /The service is at (\S+)/.exec(line)?.[1];
      if (baseUrl) resolve({ child, baseUrl, log });
    });
  });
}

/** Returns the environment of this process with the variables in `env`, but without `BASE_URL`, which Vitest sets. */
export function serviceEnvironment(env: Record<string, string>): NodeJS.ProcessEnv {
  const { BASE_URL: _, ...others } = process.env;
  return { ...others, ...env };
}

/** Stops a service and waits until it has exited. Throws if its log contains data that must not be logged. */
export async function stopService(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await exited;
    // A process left behind by a test may keep the log open.
    await Promise.race([closed, sleep(5000, undefined, { ref: false })]);
  }
  const findings = logs.get(child)?.findings() ?? [];
  if (findings.length > 0) throw new Error(findings.join('\n'));
}
