/** The media worker as a process: its wire, its bounds, and what happens when the caller goes away. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'media-tests-'));
const workDirectory = join(folder, 'work');
const pdf = makePdf();
let server: ChildProcess;
let base: string;

function makePdf(): Buffer {
  const source = join(folder, 'page.ps');
  writeFileSync(source, '%!PS\nshowpage showpage');
  return execFileSync('gs', ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-o-', source]);
}

/** A qpdf that never ends, with a child of its own: for killing. */
function slowPath(): string {
  const directory = join(folder, 'slow');
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'qpdf');
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && exit\nsleep 987 & wait\n`);
  chmodSync(path, 0o755);
  return `${directory}:${process.env.PATH}`;
}

async function start(
  environment: Record<string, string>,
  uid?: number,
): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server.ts')], {
    env: { ...process.env, MEDIA_SECRET: 'secret', MEDIA_EXIT_WITH_STDIN: '1', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
    uid,
  });
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().split('\n')[0] ?? '')),
  );
  return [child, `http://127.0.0.1:${JSON.parse(line).port}`];
}

function body(params: unknown, files: Buffer[]): { bytes: Buffer<ArrayBuffer>; manifest: number } {
  const listed = files.map((file, index) => ({ name: `${index}.pdf`, size: file.length }));
  const manifest = Buffer.from(JSON.stringify({ params, files: listed }));
  return { bytes: Buffer.concat([manifest, ...files]), manifest: manifest.length };
}

function post(operation: string, params: unknown, files: Buffer[], headers = {}, to = base) {
  const { bytes, manifest } = body(params, files);
  return fetch(`${to}/operations/${operation}`, {
    method: 'POST',
    headers: { 'X-Media-Secret': 'secret', 'X-Manifest-Length': String(manifest), ...headers },
    body: bytes,
  });
}

const sleepers = () => {
  try {
    return execFileSync('pgrep', ['-f', '^sleep 987$'], { encoding: 'utf8' }).trim().split('\n');
  } catch {
    return [];
  }
};

async function until(condition: () => boolean, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(20)) {
    if (condition()) return true;
  }
  return condition();
}

beforeAll(async () => {
  [server, base] = await start({ WORK_DIR: workDirectory });
});
afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
});

const requestsLeft = (root: string) =>
  readdirSync(root).flatMap((entry) => readdirSync(join(root, entry)));

describe('the media worker', () => {
  it('tells which programs it has, without a secret', async () => {
    const answer = await fetch(`${base}/health`);
    expect(await answer.json()).toMatchObject({
      ok: true,
      programs: { qpdf: expect.stringMatching(/^\d+\.\d+/) },
      missing: [],
    });
  });

  it('tells whether it takes requests, and how many run and wait of each kind', async () => {
    const answer = await fetch(`${base}/ready`);
    expect(answer.status).toBe(200);
    const { ready, queues } = JSON.parse(await answer.text());
    expect(ready).toBe(true);
    expect(Object.keys(queues)).toEqual(['image', 'video', 'pdf', 'ocr']);
    expect(queues.pdf).toMatchObject({ running: 0, waiting: 0 });
  });

  it('merges files and tells what it did', async () => {
    const answer = await post('merge_pdf', {}, [pdf, pdf]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(Number(answer.headers.get('content-length'))).toBe(bytes.length);
    const meta = Buffer.from(answer.headers.get('x-media-meta') ?? '', 'base64url').toString();
    expect(JSON.parse(meta)).toEqual({ size: bytes.length });
    expect(await until(() => requestsLeft(workDirectory).length === 0, 1000)).toBe(true);
  });

  it('tells how much is done to who listens, and then the result or the error', async () => {
    const film = join(folder, 'film.mp4');
    const source = 'testsrc2=s=640x360:d=8';
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      source,
      '-movflags',
      '+faststart',
      film,
    ]);
    const settings = { preset: 'fast', scale: '-1:480', crf: 30, audioBitrate: null };
    const codecs = { format: 'mp4', videoCodec: 'h264', audioCodec: null };
    const call = (bytes: Buffer) =>
      post('compress_video', { ...settings, ...codecs }, [bytes], { 'X-Media-Progress': '1' });
    const bytes = readFileSync(film);
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
    expect((await post('merge_pdf', {}, [pdf, pdf], { 'X-Media-Secret': 'no' })).status).toBe(403);
    expect((await fetch(`${base}/operations/merge_pdf`, { method: 'POST' })).status).toBe(403);
  });

  it.each([
    ['shorter', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
  ])('refuses a body that is %s than its manifest says', async (word, change) => {
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

  it('says what an operation found wrong, with its parameter', async () => {
    const answer = await post('split_pdf', { ranges: ['3-1'] }, [pdf]);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'bad_request',
      status: 400,
      param: 'ranges',
    });
  });

  it('knows no other operation', async () => {
    expect((await post('shred_pdf', {}, [])).status).toBe(404);
  });

  it('says which program is missing and how it comes', async () => {
    const [child, address] = await start({ PATH: folder, WORK_DIR: join(folder, 'bare') });
    const answer = await post('merge_pdf', {}, [pdf, pdf], {}, address);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await answer.text()).toContain('apt-get install qpdf');
    child.kill();
  });

  it('logs what failed on its side as an error, with the request and the cause', async () => {
    const root = join(folder, 'removed');
    const [child, address] = await start({ WORK_DIR: root });
    let logged = '';
    child.stdout?.on('data', (data: Buffer) => {
      logged += data;
    });
    rmSync(root, { recursive: true });
    const answer = await post('merge_pdf', {}, [pdf], { 'X-Request-Id': 'r-1' }, address);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('ENOENT');
    expect(await until(() => logged.endsWith('\n'), 1000)).toBe(true);
    expect(JSON.parse(logged)).toMatchObject({
      event: 'request',
      level: 'error',
      requestId: 'r-1',
      status: 500,
      cause: expect.stringContaining('ENOENT'),
    });
    child.kill();
  });

  it('starts beside a stale directory of another user', async () => {
    const root = mkdtempSync(join(tmpdir(), 'media-stale-'));
    chmodSync(root, 0o777);
    const stale = join(root, 'tools-media-4194305-x');
    mkdirSync(stale);
    writeFileSync(join(stale, 'file'), '');
    chmodSync(stale, 0o555);
    const nobody = process.getuid?.() === 0 ? 65534 : undefined;
    const [child, address] = await start({ WORK_DIR: root }, nobody);
    expect((await fetch(`${address}/health`)).status).toBe(200);
    expect(readdirSync(stale)).toEqual(['file']);
    child.kill();
    expect(await until(() => readdirSync(root).length === 1, 3000)).toBe(true);
    chmodSync(stale, 0o755);
    rmSync(root, { recursive: true });
  });

  it('kills the program and removes the files within a second when the caller goes away', async () => {
    const root = join(folder, 'gone');
    const [child, address] = await start({ PATH: slowPath(), WORK_DIR: root });
    const { bytes, manifest } = body({}, [pdf, pdf]);
    const call = request(`${address}/operations/merge_pdf`, {
      method: 'POST',
      headers: { 'X-Media-Secret': 'secret', 'X-Manifest-Length': manifest },
    });
    call.on('error', () => undefined);
    call.end(bytes);
    expect(await until(() => sleepers().length > 0, 5000)).toBe(true);
    expect(requestsLeft(root)).toHaveLength(1);
    call.destroy();
    expect(await until(() => sleepers().length === 0, 1000)).toBe(true);
    expect(await until(() => requestsLeft(root).length === 0, 1000)).toBe(true);
    child.kill();
  });

  it('refuses at once what is beyond its queue', async () => {
    const [child, address] = await start({ PATH: slowPath(), WORK_DIR: join(folder, 'full') });
    const stop = new AbortController();
    const { bytes, manifest } = body({}, [pdf, pdf]);
    const call = () =>
      fetch(`${address}/operations/merge_pdf`, {
        method: 'POST',
        headers: { 'X-Media-Secret': 'secret', 'X-Manifest-Length': String(manifest) },
        body: bytes,
        signal: stop.signal,
      });
    const refused = Promise.race(Array.from({ length: 160 }, call));
    const answer = await refused;
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    stop.abort();
    child.kill();
    expect(await until(() => sleepers().length === 0, 2000)).toBe(true);
  });

  it('lets what runs come to its end at SIGTERM where it is given the time, and takes nothing more', async () => {
    const slow = join(folder, 'slower');
    mkdirSync(slow);
    writeFileSync(
      join(slow, 'qpdf'),
      `#!/bin/sh\nsleep 1; PATH=${process.env.PATH} exec qpdf "$@"\n`,
    );
    chmodSync(join(slow, 'qpdf'), 0o755);
    const root = join(folder, 'drained');
    const [child, address] = await start({
      PATH: `${slow}:${process.env.PATH}`,
      WORK_DIR: root,
      DRAIN_SECONDS: '20',
    });
    const call = post('merge_pdf', {}, [pdf, pdf], {}, address);
    expect(await until(() => requestsLeft(root).length === 1, 3000)).toBe(true);
    await sleep(300);
    child.kill('SIGTERM');
    await sleep(100);
    await expect(fetch(`${address}/ready`)).rejects.toThrow();
    expect((await call).status).toBe(200);
    expect(await until(() => child.exitCode === 0, 3000)).toBe(true);
    expect(readdirSync(root)).toEqual([]);
  });

  it.each(['the end of its standard input', 'SIGTERM'])(
    'ends with all its programs and files at %s',
    async (how) => {
      const root = join(folder, `end-${how.length}`);
      const [child, address] = await start({ PATH: slowPath(), WORK_DIR: root });
      const call = post('merge_pdf', {}, [pdf, pdf], {}, address).catch(() => undefined);
      expect(await until(() => sleepers().length > 0, 5000)).toBe(true);
      if (how === 'SIGTERM') child.kill('SIGTERM');
      else child.stdin?.end();
      expect(await until(() => child.exitCode === 0, 3000)).toBe(true);
      expect(sleepers()).toEqual([]);
      expect(readdirSync(root)).toEqual([]);
      await call;
    },
  );
});
