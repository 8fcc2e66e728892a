/**
 * Runs each attack on a separate service while a second caller calls encode_base64. Prints the slowest response to the
 * second caller, and the increase in memory over an idle service.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import type { Attack } from '../attacks/attacker.ts';
import { connections } from '../attacks/connections.ts';
import { largeCalls } from '../attacks/large-calls.ts';
import type { Noticed } from '../attacks/second-caller.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { forgetPeak, peakOf, residentOf, workerdOf } from '../support/workerd-process.ts';

/** The limits are higher than the goals for a quiet machine, which are 1 second and 300 MB. */
const MAX_SECONDS = 10;
const MAX_MB = 800;

/** How long the measurement continues after the last response, in milliseconds. An attack may have delayed effects. */
const AFTERWARDS_MS = 1000;

interface Measured {
  /** A summary of the responses to the attacker. */
  answers: string;
  second: Noticed;
  /** The peak resident memory of the proxy and of workerd, in MB above idle. */
  memory: number[];
}

async function measure({ run }: Attack): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-attacks-'));
  const { child, baseUrl } = await startService({ STATE_DIR: folder, RATE_LIMITS: 'on' });
  try {
    const target = { hostname: '127.0.0.1', port: Number(new URL(baseUrl).port) };
    const second = new Worker(new URL('../attacks/second-caller.ts', import.meta.url), {
      workerData: target,
    });
    await sleep(AFTERWARDS_MS);
    const processes = [child.pid!, workerdOf(child.pid!)];
    const idle = processes.map(residentOf);
    for (const pid of processes) forgetPeak(pid);
    const answers = await run(target);
    await sleep(AFTERWARDS_MS);
    const ended = new Promise<Noticed>((resolve) => second.once('message', resolve));
    second.postMessage('end');
    const memory = processes.map((pid, index) => peakOf(pid) - idle[index]!);
    return { answers, second: await ended, memory };
  } finally {
    await stopService(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

it.each([...largeCalls, ...connections])(
  'a second caller is served with bounded memory: $name',
  async (attack) => {
    const { answers, second, memory } = await measure(attack);
    const seconds = second.slowestMs / 1000;
    const [proxy, workerd] = memory as [number, number];
    console.log(
      `${attack.name}: slowest answer ${seconds.toFixed(2)} s, ${(proxy + workerd).toFixed(0)} MB over idle ` +
        `(proxy ${proxy.toFixed(0)}, workerd ${workerd.toFixed(0)}; ${answers})`,
    );
    expect(second.failures).toBe(0);
    expect(seconds).toBeLessThan(MAX_SECONDS);
    expect(proxy + workerd).toBeLessThan(MAX_MB);
  },
);
