/** Tests the media worker as part of the service, under load and when it is killed during a call. */
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../support/descendants.ts';
import { startService, stopService } from '../support/global-setup.ts';
import {
  type Call,
  callAlternately,
  mediaCalls,
  mediaWorkerOf,
  programsOf,
  requestsLeft,
  send,
} from '../support/media-load.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { until } from '../support/until.ts';

const CALLERS = 8;
const CALLS_EACH = 2;
const MEMORY_BYTES = 1.5 * 1024 ** 3;

const folder = mkdtempSync(join(tmpdir(), 'media-worker-tests-'));
const workDirectory = join(folder, 'work');
let service: ChildProcess;
let baseUrl: string;
let calls: Call[];

const worker = () => mediaWorkerOf(service.pid!);

beforeAll(async () => {
  // If root starts a service, its processes run as other users, which need access to these files.
  chmodSync(folder, 0o755);
  calls = mediaCalls(join(folder, 'files'));
  const state = join(folder, 'state');
  const started = await startService({ STATE_DIR: state, WORK_DIR: workDirectory });
  service = started.child;
  baseUrl = started.baseUrl;
});
afterAll(async () => {
  await stopService(service);
  expect(readdirSync(workDirectory)).toEqual([]);
  rmSync(folder, { recursive: true });
});

describe('the media worker', () => {
  it('serves 8 concurrent callers with 200 or 503, bounded memory and no leftovers', async () => {
    const { pid } = worker()!;
    const load = await callAlternately(baseUrl, pid, calls, CALLERS, { calls: CALLS_EACH });
    expect(load.failures).toEqual([]);
    expect(load.served).toBeGreaterThanOrEqual(CALLERS);
    expect(load.served + load.busy).toBe(CALLERS * CALLS_EACH);
    expect(load.mostResidentBytes).toBeLessThan(MEMORY_BYTES);
    expect(worker()?.pid).toBe(pid);
    expect(await until(() => programsOf(pid).length === 0)).toBe(true);
    expect(requestsLeft(workDirectory)).toEqual([]);
  });

  it('stops its work when the caller disconnects', async () => {
    const { pid } = worker()!;
    const video = calls.find(({ tool }) => tool === 'compress_video')!;
    const leaving = new AbortController();
    const parameters = { videoCodec: 'av1', preset: 'slow', scale: '-1:1080' };
    send(baseUrl, { ...video, parameters }, leaving.signal).catch(() => undefined);
    expect(await until(() => programsOf(pid).length > 0)).toBe(true);
    leaving.abort();
    expect(await until(() => programsOf(pid).length === 0)).toBe(true);
    expect(await until(() => requestsLeft(workDirectory).length === 0)).toBe(true);
  });

  it('answers 503 soon after it is killed, restarts, and leaves nothing behind', async () => {
    const { pid } = worker()!;
    const video = calls.find(({ tool }) => tool === 'compress_video')!;
    const parameters = { videoCodec: 'av1', preset: 'slow', scale: '-1:1080' };
    const call = send(baseUrl, { ...video, parameters });
    expect(await until(() => programsOf(pid).length > 0)).toBe(true);
    const programs = programsOf(pid);
    process.kill(pid, 'SIGKILL');
    // The response arrives although the call's own time limit is longer than this test's.
    const response = await call;
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await response.json()).toMatchObject({
      code: 'internal',
      error: expect.stringMatching(/is not responding\. Try again/),
    });
    const alive = () => programs.filter((program) => isAlive(program.pid));
    expect(await until(() => alive().length === 0)).toBe(true);
    expect(await until(() => worker() !== undefined)).toBe(true);
    const again = calls.find(({ tool }) => tool === 'extract_text_ocr')!;
    // The worker process exists for a moment before it listens.
    await expect
      .poll(async () => (await send(baseUrl, again)).status, {
        timeout: PATIENCE_MS,
        interval: 200,
      })
      .toBe(200);
    expect(readdirSync(workDirectory)).toHaveLength(1);
    expect(await until(() => requestsLeft(workDirectory).length === 0)).toBe(true);
  });
});
