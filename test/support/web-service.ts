/** Starts a separate service for tests of the web tools. A fake upstream on loopback serves the test hosts. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, stopService } from './global-setup.ts';
import { type Answer, openUpstream, type Upstream } from './upstream.ts';

export interface Ran {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read bodies of every shape
  body: any;
  headers: Headers;
}

export interface WebService {
  upstream: Upstream;
  baseUrl: string;
  child: ChildProcess;
  /** Runs a tool. Returns the status, the headers, and the body as parsed JSON or as bytes. */
  run(tool: string, parameters: unknown, init?: RequestInit, send?: typeof fetch): Promise<Ran>;
  close(): Promise<void>;
}

/** Starts a service that connects to this upstream for all `hosts`. */
export async function openWebService(
  hosts: readonly string[],
  answers: Record<string, Answer | string>,
  env: Record<string, string> = {},
): Promise<WebService> {
  const upstream = await openUpstream(answers);
  const stateDir = mkdtempSync(join(tmpdir(), 'tools-web-'));
  const { child, baseUrl } = await startService({
    STATE_DIR: stateDir,
    RATE_LIMITS: 'off',
    EGRESS_HOSTS: JSON.stringify(
      Object.fromEntries(hosts.map((host) => [host, `127.0.0.1:${upstream.port}`])),
    ),
    ...env,
  });
  return {
    upstream,
    baseUrl,
    child,
    async run(tool, parameters, init = {}, send = fetch) {
      const response = await send(`${baseUrl}/api/v1/tools/execute`, {
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
      await upstream.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
