/**
 * Kills individual processes of a running service. Checks the responses to running calls, and which processes restart
 * or exit as a result.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { scan } from '../../containers/media/operations/pdf/test-compress.ts';
import { imageFile } from '../../containers/media/operations/pdf/test-image-files.ts';
import { freePort } from '../../scripts/media-worker.ts';
import { commandLineOf, descendantsOf, isAlive, parentOf } from '../support/descendants.ts';
import { serviceEnvironment, startService, stopService } from '../support/global-setup.ts';
import { pollJob, startJob, startMerge } from '../support/jobs.ts';
import { body } from '../support/service.ts';
import { makeSlowPdf } from '../support/slow-pdf.ts';

const MEDIA_WORKER = 'containers/media/server.ts';
const HANG_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'tools-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a separate service that is stopped when the test ends. */
async function open(name: string) {
  const service = await startService({ STATE_DIR: join(folder, name) });
  onTestFinished(() => stopService(service.child));
  return service;
}

const slowFile = () => new File([makeSlowPdf()], 'slow.pdf', { type: 'application/pdf' });

const descendants = (pid: number) => [...descendantsOf(pid).keys()];

/** Returns the IDs of descendant processes whose command lines contain this text. */
const withCommand = (pid: number, text: string) =>
  descendants(pid).filter((id) => commandLineOf(id).includes(text));

/** Waits until the service has a descendant process whose command line contains this text. Returns its process ID. */
async function started(pid: number, text: string): Promise<number> {
  await expect.poll(() => withCommand(pid, text), { interval: 20 }).not.toEqual([]);
  return withCommand(pid, text)[0]!;
}

const allEnd = (pids: readonly number[]) => expect.poll(() => pids.filter(isAlive)).toEqual([]);

describe('a service', () => {
  it('exits when the npm that started it is killed', async () => {
    const env = serviceEnvironment({ PORT: '0', STATE_DIR: join(folder, 'npm') });
    const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise<void>((resolve) => {
      createInterface({ input: npm.stdout }).on('line', (line) => {
        if (line.startsWith('The service is at')) resolve();
      });
    });
    const parts = descendants(npm.pid!);
    expect(parts.length).toBeGreaterThanOrEqual(3);
    npm.kill('SIGTERM');
    await allEnd(parts);
  });

  it('in development leaves no process behind when it is killed', async () => {
    const env = serviceEnvironment({
      PORT: String(await freePort()),
      STATE_DIR: join(folder, 'develop'),
    });
    const program = ['scripts/develop.ts', '--inspector-port', '0'];
    const child = spawn(process.execPath, program, {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.includes('Ready on')) resolve();
      });
    });
    const parts = descendantsOf(child.pid!);
    expect([...parts.values()]).toContain('workerd');
    child.kill('SIGKILL');
    await allEnd([...parts.keys()]);
  });

  it('leaves no process behind when it is killed', async () => {
    const { child, baseUrl } = await open('service');
    const parts = descendantsOf(child.pid!);
    expect([...parts.values()]).toContain('workerd');
    expect(parts.size).toBeGreaterThanOrEqual(2);
    child.kill('SIGKILL');
    await allEnd([...parts.keys()]);
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
  });
});

describe('a killed workerd', () => {
  it('is restarted, which is logged, and calls succeed again', async () => {
    const { child, baseUrl } = await open('workerd');
    const restarted = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout! }).on('line', (line) => {
        if (line === '{"event":"worker-restarted"}') resolve();
      });
    });
    const [workerd] = [...descendantsOf(child.pid!)].find(([, name]) => name === 'workerd')!;
    process.kill(workerd, 'SIGKILL');
    await restarted;
    await expect.poll(() => fetch(`${baseUrl}/health`).then(({ status }) => status)).toBe(200);
  });

  it('and its service leave jobs that continue after a restart, under the same address', async () => {
    const first = await open('jobs');
    const slow = await startMerge(first.baseUrl, slowFile());
    const fast = await startJob(first.baseUrl, {
      tool: 'encode_base64',
      parameters: { text: 'before' },
    });
    await pollJob(slow, first.baseUrl, /running/);
    const parts = descendants(first.child.pid!);
    for (const pid of withCommand(first.child.pid!, 'workerd')) process.kill(pid, 'SIGKILL');
    first.child.kill('SIGKILL');
    await allEnd(parts);
    const next = await open('jobs');
    const ended = await pollJob(slow, next.baseUrl);
    expect(ended, JSON.stringify(ended)).toMatchObject({ status: 'succeeded' });
    expect(await pollJob(fast, next.baseUrl)).toMatchObject({
      result: { encoded: 'YmVmb3Jl' },
    });
  });
});

describe('a killed media worker', () => {
  it('is restarted', async () => {
    const { child, baseUrl } = await open('media');
    const media = await started(child.pid!, MEDIA_WORKER);
    process.kill(media, 'SIGKILL');
    await allEnd([media]);
    await started(child.pid!, MEDIA_WORKER);
    const missing = async () => (await body(await fetch(`${baseUrl}/health`))).missing;
    await expect.poll(missing).toEqual([]);
  });

  it('reruns its current job, which finishes once, with its result', async () => {
    const { child, baseUrl } = await open('job');
    const path = await startMerge(baseUrl, slowFile());
    const events = fetch(baseUrl + path, { headers: { Accept: 'text/event-stream' } });
    const find = () => [...descendantsOf(child.pid!)].find(([, name]) => name === 'qpdf')?.[0];
    const qpdf = await vi.waitUntil(find, { timeout: HANG_MS, interval: 20 });
    const documentProcess = parentOf(qpdf);
    process.kill(parentOf(documentProcess), 'SIGKILL');
    await allEnd([documentProcess, qpdf]);
    expect(await (await events).text()).toMatch(/"running".*"queued".*event: end/s);
    expect(await pollJob(path, baseUrl)).toMatchObject({
      status: 'succeeded',
      result: { contentType: 'application/pdf' },
    });
  });

  it('makes compress_pdf return the original with the reason, and leaves no program behind', async () => {
    const { child, baseUrl } = await open('compression');
    const many = await imageFile(
      await Promise.all(Array.from({ length: 12 }, (_, i) => scan(i + 1))),
    );
    const compress = async () => {
      const form = new FormData();
      form.append('tool', 'compress_pdf');
      form.append('file', new File([many as Uint8Array<ArrayBuffer>], 'scan.pdf'));
      return fetch(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', body: form });
    };
    const answer = compress();
    // On a fast machine, other programs of this operation end too soon to be seen.
    await started(child.pid!, 'pdftoppm');
    const media = await started(child.pid!, MEDIA_WORKER);
    const programs = descendants(media);
    process.kill(media, 'SIGKILL');
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get('X-Compression-Note')).toContain('temporarily unavailable');
    expect(response.headers.get('X-Output-Bytes')).toBe(String(many.length));
    expect(await response.bytes()).toEqual(many);
    await allEnd(programs);
    await started(child.pid!, MEDIA_WORKER);
    await expect
      .poll(async () => (await compress()).headers.get('X-Compression-Note'))
      .toMatch(/^Saved/);
  });
});
