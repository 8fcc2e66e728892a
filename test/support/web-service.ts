/** A service of its own that serves test hosts from a far side on loopback, for the tests of the web tools. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, type FarSide, openFarSide } from './far-side.ts';
import { startService, stopService } from './global-setup.ts';

export interface Ran {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are looked into
  body: any;
  headers: Headers;
}

export interface WebService {
  far: FarSide;
  baseUrl: string;
  child: ChildProcess;
  /** Runs a tool; the status and the JSON body. */
  run(tool: string, parameters: unknown, init?: RequestInit): Promise<Ran>;
  close(): Promise<void>;
}

/** Starts a service for which `hosts` are served by `answers`. */
export async function openWebService(
  hosts: readonly string[],
  answers: Record<string, Answer | string>,
  env: Record<string, string> = {},
): Promise<WebService> {
  const far = await openFarSide(answers);
  const stateDir = mkdtempSync(join(tmpdir(), 'tools-web-'));
  const { child, baseUrl } = await startService({
    STATE_DIR: stateDir,
    RATE_LIMITS: 'off',
    EGRESS_HOSTS: JSON.stringify(
      Object.fromEntries(hosts.map((host) => [host, `127.0.0.1:${far.port}`])),
    ),
    ...env,
  });
  return {
    ...{ far, baseUrl, child },
    async run(tool, parameters, init = {}) {
      const response = await fetch(`${baseUrl}/api/v1/tools/execute`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ tool, parameters }),
        ...init,
      });
      const type = response.headers.get('Content-Type') ?? '';
      const body = type.includes('json') ? await response.json() : await response.bytes();
      return { status: response.status, body, headers: response.headers };
    },
    async close() {
      await stopService(child);
      await far.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
