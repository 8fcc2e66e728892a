/** Tests the protocol and the limits of the media worker, which runs as a separate process. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasUsers, isRoot, nobody } from '../../test/support/this-machine.ts';
import { until } from '../../test/support/until.ts';
import {
  body,
  busyPath,
  emptyFolder,
  folder,
  pdf,
  post,
  requestsLeft,
  slowPath,
  start,
} from './test-server.ts';

const workDirectory = join(folder, 'work');
let server: ChildProcess;
let base: string;

beforeAll(async () => {
  [server, base] = await start({ WORK_DIR: workDirectory });
});
afterAll(() => {
  server.kill();
  emptyFolder();
});

describe('the media worker', () => {
  it('lists its programs without a secret', async () => {
    const answer = await fetch(`${base}/health`);
    expect(await answer.json()).toMatchObject({
      ok: true,
      programs: { qpdf: expect.stringMatching(/^\d+\.\d+/) },
      missing: [],
    });
  });

  it('reports whether it accepts requests, and the running and waiting calls of each kind', async () => {
    const answer = await fetch(`${base}/ready`);
    expect(answer.status).toBe(200);
    const { ready, queues } = JSON.parse(await answer.text());
    expect(ready).toBe(true);
    expect(Object.keys(queues)).toEqual(['image', 'video', 'pdf', 'ocr']);
    expect(queues.pdf).toMatchObject({ running: 0, waiting: 0 });
  });

  it('is live, and reports its load in every response', async () => {
    const answer = await fetch(`${base}/live`);
    expect(await answer.json()).toEqual({ live: true });
    const refused = await fetch(`${base}/operations/merge_pdf`, { method: 'POST' });
    const merged = await post(base, 'merge_pdf', {}, [pdf, pdf]);
    for (const { headers } of [answer, refused, merged]) {
      expect(headers.get('X-Media-Load')).toMatch(/^0\/\d+$/);
    }
  });

  it('merges files and returns metadata', async () => {
    const answer = await post(base, 'merge_pdf', {}, [pdf, pdf]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(Number(answer.headers.get('content-length'))).toBe(bytes.length);
    const meta = Buffer.from(answer.headers.get('x-media-meta') ?? '', 'base64url').toString();
    expect(JSON.parse(meta)).toEqual({ size: bytes.length, pages: 4 });
    expect(await until(() => requestsLeft(workDirectory).length === 0)).toBe(true);
  });

  it('streams progress to a client that accepts it, and then the result or the error', async () => {
    const video = join(folder, 'film.mp4');
    const source = 'testsrc2=s=640x360:d=3';
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      source,
      '-movflags',
      '+faststart',
      video,
    ]);
    const settings = { preset: 'fast', scale: '-1:480', crf: 30, audioBitrate: null };
    const codecs = { format: 'mp4', videoCodec: 'h264', audioCodec: null };
    const call = (bytes: Buffer) =>
      post(base, 'compress_video', { ...settings, ...codecs }, [bytes], {
        'X-Media-Progress': '1',
      });
    const bytes = readFileSync(video);
    const answer = await call(bytes);
    expect(answer.headers.get('content-type')).toBe('application/vnd.tools.progress');
    const told = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    const [lines = '', end = ''] = told.split('{"result":');
    const fractions = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).progress);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    const line = end.split('\n')[0] ?? '';
    const { contentType, meta } = JSON.parse(line.slice(0, -1));
    expect(contentType).toBe('video/mp4');
    expect(end.length - line.length - 1).toBe(meta.size);
    const broken = await (await call(bytes.subarray(0, bytes.length * 0.7))).text();
    expect(JSON.parse(broken.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      status: 400,
      param: 'file',
    });
  });

  it('refuses a wrong or missing secret', async () => {
    expect((await post(base, 'merge_pdf', {}, [pdf, pdf], { 'X-Media-Secret': 'no' })).status).toBe(
      403,
    );
    expect((await fetch(`${base}/operations/merge_pdf`, { method: 'POST' })).status).toBe(403);
  });

  it.each([
    ['shorter', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
  ])('refuses a body that is %s than its manifest states', async (word, change) => {
    const { bytes, manifest } = body({}, [pdf, pdf]);
    const answer = await fetch(`${base}/operations/merge_pdf`, {
      method: 'POST',
      headers: { 'X-Media-Secret': 'secret', 'X-Manifest-Length': String(manifest) },
      body: Uint8Array.from(change(bytes)),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'bad_request',
      error: expect.stringContaining(word),
    });
  });

  it('reports an error of an operation with its parameter', async () => {
    const answer = await post(base, 'split_pdf', { ranges: ['1'] }, [pdf]);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'bad_request',
      status: 400,
      param: 'ranges',
    });
  });

  it('refuses an unknown operation', async () => {
    expect((await post(base, 'shred_pdf', {}, [])).status).toBe(404);
  });

  it('names a missing program and its package', async () => {
    const [child, address] = await start({ PATH: folder, WORK_DIR: join(folder, 'bare') });
    const answer = await post(address, 'merge_pdf', {}, [pdf, pdf]);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await answer.text()).toContain('apt-get install qpdf');
    child.kill();
  });

  it('logs an internal failure as an error, with the request and the cause', async () => {
    const root = join(folder, 'removed');
    const [child, address] = await start({ WORK_DIR: root });
    let logged = '';
    child.stdout?.on('data', (data: Buffer) => {
      logged += data;
    });
    rmSync(root, { recursive: true });
    const answer = await post(address, 'merge_pdf', {}, [pdf], { 'X-Request-Id': 'r-1' });
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('ENOENT');
    expect(await until(() => logged.endsWith('\n'))).toBe(true);
    expect(JSON.parse(logged)).toMatchObject({
      event: 'request',
      level: 'error',
      requestId: 'r-1',
      status: 500,
      cause: expect.stringContaining('ENOENT'),
    });
    child.kill();
  });

  it('logs why it could not resolve a name', async () => {
    const [child, address] = await start({
      WORK_DIR: join(folder, 'resolver'),
      DNS_OVER_HTTPS_URL: 'http://127.0.0.1:1/dns-query',
    });
    let logged = '';
    child.stdout?.on('data', (data: Buffer) => {
      logged += data;
    });
    const answer = await fetch(`${address}/fetch`, {
      method: 'POST',
      headers: { 'X-Media-Secret': 'secret', 'X-Request-Id': 'r-2' },
      body: JSON.stringify({ url: 'https://public.test/', method: 'GET', headers: {} }),
    });
    expect(answer.status).toBe(503);
    expect(await until(() => logged.endsWith('\n'))).toBe(true);
    expect(JSON.parse(logged)).toMatchObject({
      level: 'error',
      requestId: 'r-2',
      cause: expect.stringContaining('fetch failed'),
    });
    child.kill();
  });

  it('gives every line of its log a level', async () => {
    const [child, address] = await start({ WORK_DIR: join(folder, 'levels') });
    let logged = '';
    child.stdout?.on('data', (data: Buffer) => {
      logged += data;
    });
    expect((await post(address, 'no_such_operation', {}, [])).status).toBe(404);
    expect(await until(() => logged.endsWith('\n'))).toBe(true);
    expect(JSON.parse(logged)).toMatchObject({ event: 'request', level: 'info', status: 404 });
    child.kill();
  });

  it('keeps idle connections open longer than workerd', async () => {
    const answer = await fetch(`${base}/live`);
    expect(answer.headers.get('keep-alive')).toBe('timeout=60');
  });

  it('accepts half of the waiting calls from one caller', async () => {
    const [child, address] = await start({ PATH: slowPath(), WORK_DIR: join(folder, 'charged') });
    let logged = '';
    child.stdout?.on('data', (data: Buffer) => {
      logged += data;
    });
    const gone = new AbortController();
    const call = (caller: string) =>
      post(address, 'merge_pdf', {}, [pdf, pdf], { 'X-Media-Caller': caller }, gone.signal);
    const { pdf: queue } = JSON.parse(await (await fetch(`${address}/ready`)).text()).queues;
    const most = queue.concurrency + Math.ceil(queue.waitingLimit / 2);
    const calls = Array.from({ length: most }, () => call('address 0a'));
    for (const running of calls) running.catch(() => undefined);
    const inside = async () => {
      const { queues } = JSON.parse(await (await fetch(`${address}/ready`)).text());
      return queues.pdf.running + queues.pdf.waiting;
    };
    await expect.poll(inside).toBe(most);
    expect((await call('address 0a')).status).toBe(503);
    const other = call('address 0b');
    other.catch(() => undefined);
    await expect.poll(inside).toBe(most + 1);
    gone.abort();
    await expect.poll(() => logged.split('\n').length).toBe(most + 3);
    child.kill();
  });

  it('logs the CPU seconds of a call', async () => {
    const [child, address] = await start({ PATH: busyPath(), WORK_DIR: join(folder, 'busy-work') });
    let logged = '';
    child.stdout?.on('data', (data: Buffer) => {
      logged += data;
    });
    await post(address, 'merge_pdf', {}, [pdf, pdf]);
    await expect.poll(() => logged).toMatch(/\n$/);
    expect(JSON.parse(logged).cpuSeconds).toBeGreaterThan(0.05);
    child.kill();
  });

  it.skipIf(isRoot && !hasUsers)('starts despite a stale directory of another user', async () => {
    const root = mkdtempSync(join(tmpdir(), 'media-stale-'));
    chmodSync(root, 0o777);
    const stale = join(root, 'tools-media-4194305-x');
    mkdirSync(stale);
    writeFileSync(join(stale, 'file'), '');
    chmodSync(stale, 0o555);
    const [child, address] = await start({ WORK_DIR: root }, nobody);
    expect((await fetch(`${address}/health`)).status).toBe(200);
    expect(readdirSync(stale)).toEqual(['file']);
    child.kill();
    expect(await until(() => readdirSync(root).length === 1)).toBe(true);
    chmodSync(stale, 0o755);
    rmSync(root, { recursive: true });
  });
});
