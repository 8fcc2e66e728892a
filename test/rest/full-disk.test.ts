/**
 * Runs a service on a 48 MB disk. Every kind of write fills the disk up to the service's limit, and other data then
 * fills it completely. The disk is mounted in a separate user and mount namespace.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceEnvironment, stopService } from '../support/global-setup.ts';
import { fetchOnce } from '../support/patient-fetch.ts';
import { body } from '../support/service.ts';
import { canMountAsOwnRoot } from '../support/this-machine.ts';

const MB = 2 ** 20;
const DISK_BYTES = 48 * MB;
/** The number of bytes that the service must keep free, which is a twentieth of the disk. */
const FLOOR_BYTES = DISK_BYTES / 20;

const folder = mkdtempSync(join(tmpdir(), 'tools-disk-'));
let service: ChildProcess | undefined;
let baseUrl: string;
/** The path through which this process accesses the disk from outside the mount namespace. */
let disk: string;

beforeAll(async () => {
  if (!canMountAsOwnRoot) return;
  const command =
    `mount -t tmpfs -o size=${DISK_BYTES} tmpfs "${folder}" && mkdir "${folder}/work" && ` +
    `exec "$0" scripts/serve.ts > "${folder}/log" 2>&1`;
  service = spawn('unshare', ['-rm', 'sh', '-c', command, process.execPath], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: serviceEnvironment({
      PORT: '0',
      RATE_LIMITS: 'off',
      STATE_DIR: join(folder, 'state'),
      WORK_DIR: join(folder, 'work'),
    }),
  });
  disk = `/proc/${service.pid}/root${folder}`;
  // The service's log is also on the disk.
  let address: string | undefined;
  while (!address) {
    await pause(100);
    address = addressInLog();
  }
  baseUrl = address;
});
afterAll(async () => {
  if (service) await stopService(service);
  rmSync(folder, { recursive: true, force: true });
});

function addressInLog(): string | undefined {
  const code = service?.exitCode;
  if (typeof code === 'number') throw new Error(`the service ended with ${code}`);
  const path = join(disk, 'log');
  const log = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return /The service is at (\S+)/.exec(log)?.[1];
}

const free = () => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};

const post = (path: string, value: unknown, headers: Record<string, string> = {}) =>
  fetchOnce(baseUrl + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(value),
  });
const run = (tool: string, parameters: unknown, headers = {}) =>
  post('/api/v1/tools/execute', { tool, parameters }, headers);
const form = (tool: string, bytes: Uint8Array<ArrayBuffer>, name: string, type: string) => {
  const parts = new FormData();
  parts.append('tool', tool);
  parts.append('file', new Blob([bytes], { type }), name);
  return fetchOnce(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', body: parts });
};
/** Makes an incompressible gzip file. */
const archive = (size: number) => {
  const bytes = new Uint8Array(randomBytes(size));
  bytes.set([0x1f, 0x8b, 8, 0]);
  return bytes;
};
const upload = (size: number) => form('upload_file', archive(size), 'a.gz', 'application/gzip');
const text = () => randomBytes(300_000).toString('base64');
const callMcp = (parameters: unknown) =>
  post('/api/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'encode_base64', arguments: parameters },
  });

/** Every call that writes files, records or rows. */
const WRITES: [name: string, write: () => Promise<Response>][] = [
  ['a small upload', () => upload(1000)],
  ['an upload that is spooled', () => upload(12 * MB)],
  ['a job', () => run('encode_base64', { text: text() }, { Prefer: 'respond-async' })],
  [
    'a stored answer',
    () => run('encode_base64', { text: 'a' }, { 'Idempotency-Key': crypto.randomUUID() }),
  ],
];

/** Calls that need no storage. They must still work when the disk is full. */
const READS: [name: string, read: () => Promise<Response>][] = [
  ['a tool', () => run('encode_base64', { text: 'hi' })],
  ['a search', () => post('/api/v1/search', { query: 'merge' })],
  ['a page', () => fetchOnce(`${baseUrl}/`)],
  ['the health', () => fetchOnce(`${baseUrl}/health`)],
  ['the catalogue', () => fetchOnce(`${baseUrl}/api/v1/tools`)],
  ['a small MCP result', () => callMcp({ text: 'hi' })],
];

async function expectFull(name: string, answer: Response): Promise<void> {
  expect([name, answer.status]).toEqual([name, 503]);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await body(answer)).toMatchObject({ code: 'internal' });
}

/** Repeats a write until it is refused. */
async function untilFull(name: string, write: () => Promise<Response>): Promise<void> {
  let answer = await write();
  for (let count = 0; count < 400 && answer.status !== 503; count += 1) {
    await answer.arrayBuffer();
    answer = await write();
  }
  await expectFull(name, answer);
}

async function expectReads(): Promise<void> {
  for (const [name, read] of READS) {
    const answer = await read();
    expect([name, answer.status]).toEqual([name, 200]);
    await answer.arrayBuffer();
  }
}

describe.runIf(canMountAsOwnRoot)('a service on a full disk', () => {
  let first: string;

  it('stops writing at its free-space floor, keeps live links and serves everything else', async () => {
    writeFileSync(join(disk, 'ballast'), new Uint8Array(32 * MB));
    first = (await body(await upload(1000))).url;
    let last = 200;
    for (let count = 0; count < 40 && last === 200; count += 1) {
      const answer = await upload(2 * MB);
      last = answer.status;
      if (last !== 200) await expectFull('an upload', answer);
      else await answer.arrayBuffer();
    }
    expect(last).toBe(503);
    // Small writes may still succeed, because they need less space than the refused ones.
    for (let count = 0; count < 400; count += 1) {
      const answer = await callMcp({ text: text() });
      expect(answer.status).toBe(200);
      if ((await body(answer)).result.isError) break;
    }
    for (let count = 0; count < 400; count += 1) {
      const answer = await upload(20_000);
      await answer.arrayBuffer();
      if (answer.status === 503) break;
    }
    expect(free()).toBeGreaterThan(FLOOR_BYTES / 2);
    for (const [name, write] of WRITES) await untilFull(name, write);
    await expectReads();
    expect((await fetchOnce(first)).status).toBe(200);
  });

  it('answers every call while another program has filled the disk to the last byte', async () => {
    expect(() => writeFileSync(join(disk, 'ballast-2'), new Uint8Array(DISK_BYTES))).toThrow(
      'ENOSPC',
    );
    expect(free()).toBe(0);
    // The service measures the free space at most once per second.
    await expect
      .poll(async () => (await run('shorten_url', { url: 'https://a.example/' })).text())
      .toContain("This service's disk is full");
    for (const [name, write] of WRITES) await expectFull(name, await write());
    const png = new Uint8Array(
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    );
    await expectFull(
      'an operation of the media worker',
      await form('compress_image', png, 'a.png', 'image/png'),
    );
    await expectFull('an upload address', await post('/api/v1/uploads', { filename: 'a.txt' }));
    await expectReads();
    expect((await fetchOnce(first)).status).toBe(200);
  });

  it('recovers without a restart after space is freed', async () => {
    rmSync(join(disk, 'ballast-2'));
    rmSync(join(disk, 'ballast'));
    await expect.poll(async () => (await upload(1000)).status).toBe(200);
    for (const [name, write] of WRITES) {
      const status = async () => {
        const answer = await write();
        await answer.arrayBuffer();
        return answer.ok;
      };
      // The write may fail at first, because bytes that are being written are temporarily counted twice.
      await expect.poll(status, { message: name }).toBe(true);
    }
    expect((await run('shorten_url', { url: 'https://a.example/' })).status).toBe(200);
    await expectReads();
  });
});
