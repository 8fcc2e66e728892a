/** Tests the guarantees of `npm start`: it starts, keeps its data, explains errors, and leaves nothing behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { ownState } from '../../scripts/state-owner.ts';
import { descendantsOf, isAlive } from '../support/descendants.ts';
import { serviceEnvironment, startService, stopService } from '../support/global-setup.ts';
import { pollJob, startMerge } from '../support/jobs.ts';
import { fetchOnce } from '../support/patient-fetch.ts';
import { baseUrl, body, servicePid, stateDir } from '../support/service.ts';
import { makeSlowPdf } from '../support/slow-pdf.ts';
import { hasUsers, nobody } from '../support/this-machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program with these environment variables until it exits. Returns its output. */
function failToStart(
  env: Record<string, string>,
  program = ['scripts/serve.ts'],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, program, { env: serviceEnvironment(env) });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    output += text;
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve({ code, output })));
}

/** Returns a separate service that is stopped when the test ends. */
async function serviceOf(env: Record<string, string>) {
  const service = await startService(env);
  onTestFinished(() => stopService(service.child));
  return service;
}

const descendants = (pid: number) => [...descendantsOf(pid).keys()];

describe('npm start', () => {
  it('reports its version and no missing part on /health', async () => {
    const response = await fetch(`${baseUrl}/health`);
    expect(response.status).toBe(200);
    expect(await body(response)).toEqual({ status: 'ok', version: '2.0.0', missing: [] });
  });

  it('keeps stored files when workerd crashes and after a restart, resumes jobs, and stops its processes', async () => {
    const env = { STATE_DIR: join(folder, 'kept') };
    const first = await serviceOf(env);
    const form = new FormData();
    form.append('tool', 'upload_file');
    form.append('file', new File(['kept over a restart'], 'note.txt', { type: 'text/plain' }));
    const uploaded = await body(
      await fetch(`${first.baseUrl}/api/v1/tools/execute`, { method: 'POST', body: form }),
    );
    const [workerd] = [...descendantsOf(first.child.pid!)].find(([, name]) => name === 'workerd')!;
    process.kill(workerd, 'SIGKILL');
    await expect.poll(() => fetch(uploaded.url).then(({ status }) => status)).toBe(200);
    const job = await startMerge(first.baseUrl, new File([makeSlowPdf(100_000)], 'a.pdf'));
    const started = descendants(first.child.pid!);
    expect(started.length).toBeGreaterThanOrEqual(2);
    await stopService(first.child);
    await expect.poll(() => started.filter(isAlive)).toEqual([]);

    const second = await serviceOf(env);
    const link = uploaded.url.replace(first.baseUrl, second.baseUrl);
    expect(await (await fetch(link)).text()).toBe('kept over a restart');
    expect(await pollJob(job, second.baseUrl)).toMatchObject({ status: 'succeeded' });
  });

  it('finishes a running call after SIGTERM, refuses new calls with 503, and exits', async () => {
    const { child, baseUrl: at } = await serviceOf({
      STATE_DIR: join(folder, 'drained'),
      DRAIN_SECONDS: '300',
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const write = (text: string) => writer.write(new TextEncoder().encode(text));
    const running = fetch(`${at}/api/v1/tools/execute`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: readable,
      duplex: 'half',
    } as RequestInit);
    await write('{"tool":"encode_base64","parameters":');
    const status = () => fetchOnce(`${at}/health`).then((response) => response.status);
    expect(await status()).toBe(200);
    child.kill('SIGTERM');
    await expect.poll(status).toBe(503);
    await write('{"text":"hello"}}');
    await writer.close();
    expect(await body(await running)).toMatchObject({ encoded: 'aGVsbG8=' });
    expect(await exited).toBe(0);
  });

  it('refuses a call that exceeds DRAIN_SECONDS, and exits even if its state was deleted', async () => {
    const state = join(folder, 'deleted');
    const { child, baseUrl: at } = await serviceOf({ STATE_DIR: state, DRAIN_SECONDS: '1' });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const hanging = fetch(`${at}/api/v1/tools/execute`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: readable,
      duplex: 'half',
    } as RequestInit);
    await writable.getWriter().write(new TextEncoder().encode('{'));
    expect((await fetch(`${at}/health`)).status).toBe(200);
    rmSync(state, { recursive: true, force: true, maxRetries: 9 });
    child.kill('SIGTERM');
    expect((await hanging).status).toBe(503);
    expect(await exited).toBe(0);
  });

  it.each([
    [
      'once it owns its folder',
      (_pid: number, state: string) => existsSync(join(state, 'owner.json')),
    ],
    ['once workerd runs', (pid: number) => [...descendantsOf(pid).values()].includes('workerd')],
  ])('exits cleanly after a SIGTERM during startup, %s', async (_, isTheMoment) => {
    const state = mkdtempSync(join(folder, 'starting-'));
    const env = serviceEnvironment({ PORT: '0', STATE_DIR: state });
    const child = spawn(process.execPath, ['scripts/serve.ts'], { env, stdio: 'pipe' });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    const exited = once(child, 'exit');
    await expect.poll(() => isTheMoment(child.pid!, state), { interval: 20 }).toBe(true);
    const started = descendants(child.pid!);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    await expect.poll(() => started.filter(isAlive)).toEqual([]);
    expect(output).not.toContain('The service is at');
    ownState(state).release();
  });

  it('names an invalid setting instead of ignoring it', async () => {
    const { code, output } = await failToStart({ PORT: 'eighty', BASE_URL: 'localhost' });
    expect(code).toBe(1);
    expect(output).toContain('PORT must be a port');
    expect(output).toContain('BASE_URL must be an http or https URL');
  });

  it('says which port is in use and how to choose another', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { code, output } = await failToStart({ PORT: String(port) });
    server.close();
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`^Port ${port} is in use.*\n$`));
  });

  it.runIf(hasUsers)('names a temporary folder that it cannot open, and not the port', async () => {
    const state = mkdtempSync(join(tmpdir(), 'tools-state-'));
    onTestFinished(() => rmSync(state, { recursive: true, force: true }));
    chownSync(state, nobody!, 0);
    const { code, output } = await failToStart({
      NODE_OPTIONS: `--import=data:text/javascript,process.setuid(${nobody})`,
      STATE_DIR: state,
      TOOLS_TMP: join(folder, 'closed'),
    });
    expect(code).toBe(1);
    expect(output).toMatch(/EACCES.*closed/);
    expect(output).not.toContain('Port');
  });

  it.each([
    ['start', ['scripts/serve.ts']],
    ['dev', ['scripts/develop.ts']],
    ['restore', ['scripts/restore.ts', 'backup.tar']],
  ])(
    'npm run %s refuses a folder owned by a running service, and names the service',
    async (_, program) => {
      const { code, output } = await failToStart({ PORT: '0', STATE_DIR: stateDir }, program);
      expect(code).toBe(1);
      expect(output).toContain(`in use by another service (at ${baseUrl}, process ${servicePid})`);
      expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    },
  );

  it('requires BASE_URL if it listens beyond loopback', async () => {
    const { code, output } = await failToStart({ HOST: '0.0.0.0', PORT: '0' });
    expect(code).toBe(1);
    expect(output).toContain(
      'BASE_URL is not set, but HOST=0.0.0.0 exposes the service to the network',
    );
  });

  it('refuses EGRESS_HOSTS if it listens beyond loopback', async () => {
    const { code, output } = await failToStart({
      HOST: '0.0.0.0',
      PORT: '0',
      EGRESS_HOSTS: '{"a.test":"127.0.0.1:1"}',
    });
    expect(code).toBe(1);
    expect(output).toContain('EGRESS_HOSTS is for tests');
  });
});
