/**
 * Tests how the media worker aborts work when a caller disconnects, when an input is malicious, and during shutdown.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { manyNames } from './operations/pdf/test-hostile-files.ts';
import {
  body,
  emptyFolder,
  folder,
  pdf,
  post,
  requestsLeft,
  SECONDS,
  sleepers,
  slowPath,
  start,
} from './test-server.ts';

afterAll(emptyFolder);

/** The CPU time, in hundredths of a second, after which the process has read a large part of the name tree. */
const TICKS = 60;
/**
 * Returns the CPU time of a process in hundredths of a second (`utime` in /proc/PID/stat, see proc(5)). Unlike elapsed
 * time, it does not depend on the load on the machine.
 */
const ticksOf = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[11]);

/** Returns the ID of this media worker's process that reads PDF files. */
function documentProcessOf(server: number): number | undefined {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return listed
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+.*document-process\.ts/.exec(line))
    .filter((match) => match !== null && Number(match[2]) === server)
    .map((match) => Number(match?.[1]))[0];
}

describe('the media worker', () => {
  it('kills the program and removes the files when the caller disconnects', async () => {
    const root = join(folder, 'gone');
    const [child, address] = await start({ PATH: slowPath(), WORK_DIR: root });
    const { bytes, manifest } = body({}, [pdf, pdf]);
    const call = request(`${address}/operations/merge_pdf`, {
      method: 'POST',
      headers: { 'X-Media-Secret': 'secret', 'X-Manifest-Length': manifest },
    });
    call.on('error', () => undefined);
    call.end(bytes);
    expect(await until(() => sleepers().length > 0)).toBe(true);
    expect(requestsLeft(root)).toHaveLength(1);
    call.destroy();
    expect(await until(() => sleepers().length === 0)).toBe(true);
    expect(await until(() => requestsLeft(root).length === 0)).toBe(true);
    child.kill();
  });

  it.each(['merge_pdf', 'compress_pdf', 'split_pdf'])(
    'serves others while %s reads a name tree of half a million, and stops it when its caller disconnects',
    async (operation) => {
      const root = join(folder, `names-${operation}`);
      const [child, address] = await start({ WORK_DIR: root });
      const hostile = manyNames(600_000);
      const files = operation === 'merge_pdf' ? [pdf, hostile] : [hostile];
      const stop = new AbortController();
      const { bytes, manifest } = body({ ranges: [[[1, 1]]] }, files);
      const call = fetch(`${address}/operations/${operation}`, {
        method: 'POST',
        headers: { 'X-Media-Secret': 'secret', 'X-Manifest-Length': String(manifest) },
        body: bytes,
        signal: stop.signal,
      });
      let running = true;
      call
        .catch(() => undefined)
        .finally(() => {
          running = false;
        });
      await expect.poll(() => documentProcessOf(child.pid!)).toBeDefined();
      const reader = documentProcessOf(child.pid!)!;
      const before = { reader: ticksOf(reader), server: ticksOf(child.pid!) };
      const used = () => ticksOf(reader) - before.reader;
      await expect.poll(used, { interval: 10 }).toBeGreaterThan(TICKS);
      // The process is suspended, so that it cannot finish the task during the following checks.
      process.kill(reader, 'SIGSTOP');
      expect((await fetch(`${address}/health`)).status).toBe(200);
      expect(running).toBe(true);
      // The server process itself does not read the file.
      expect(ticksOf(child.pid!) - before.server).toBeLessThan(TICKS / 2);
      stop.abort();
      await call.catch(() => undefined);
      expect(await until(() => requestsLeft(root).length === 0)).toBe(true);
      expect(await until(() => documentProcessOf(child.pid!) !== reader)).toBe(true);
      child.kill();
    },
  );

  it('stops a program that ran beside a failed one', async () => {
    const directory = join(folder, 'half');
    const root = join(folder, 'half-work');
    mkdirSync(directory);
    const started = join(directory, 'started');
    chmodSync(directory, 0o777);
    // One pdftotext process fails as soon as the other one is running.
    const script = `#!/bin/sh
case "$*" in *-raw*) : > ${started}; exec sleep ${SECONDS};; esac
while [ ! -e ${started} ]; do sleep 0.05; done; exit 1\n`;
    writeFileSync(join(directory, 'pdftotext'), script, { mode: 0o755 });
    const [child, address] = await start({
      PATH: `${directory}:${process.env.PATH}`,
      WORK_DIR: root,
    });
    expect((await post(address, 'parse_document', {}, [pdf])).status).toBe(400);
    expect(existsSync(started)).toBe(true);
    expect(await until(() => sleepers().length === 0)).toBe(true);
    expect(await until(() => requestsLeft(root).length === 0)).toBe(true);
    child.kill();
  });

  it('refuses a call immediately when its queue is full', async () => {
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
    expect(answer.headers.get('X-Media-Refused')).toBe('busy');
    const another = await fetch(`${address}/operations/merge_pdf`, {
      method: 'POST',
      headers: { 'X-Media-Secret': 'secret', 'X-Media-Expected': '1' },
    });
    expect(another.status).toBe(503);
    expect(another.headers.get('X-Media-Refused')).toBe('busier');
    stop.abort();
    child.kill();
    expect(await until(() => sleepers().length === 0)).toBe(true);
  });

  it('finishes running calls after SIGTERM within DRAIN_SECONDS, and accepts no others', async () => {
    const slow = join(folder, 'slower');
    mkdirSync(slow);
    const released = join(slow, 'released');
    const wait = `while [ ! -e ${released} ]; do sleep 0.05; done`;
    writeFileSync(
      join(slow, 'qpdf'),
      `#!/bin/sh\n[ "$1" = --version ] || ${wait}\nPATH=${process.env.PATH} exec qpdf "$@"\n`,
    );
    chmodSync(join(slow, 'qpdf'), 0o755);
    const root = join(folder, 'drained');
    const [child, address] = await start({
      PATH: `${slow}:${process.env.PATH}`,
      WORK_DIR: root,
      DRAIN_SECONDS: '120',
    });
    const call = post(address, 'merge_pdf', {}, [pdf, pdf]);
    expect(await until(() => requestsLeft(root).length === 1)).toBe(true);
    child.kill('SIGTERM');
    const ready = () => fetch(`${address}/ready`).then(({ status }) => status);
    await expect.poll(ready).toBe(503);
    expect((await fetch(`${address}/live`)).status).toBe(200);
    const refused = await post(address, 'merge_pdf', {}, [pdf, pdf]);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('X-Media-Refused')).toBe('ending');
    writeFileSync(released, '');
    expect((await call).status).toBe(200);
    expect(await until(() => child.exitCode === 0)).toBe(true);
    expect(readdirSync(root)).toEqual([]);
  });

  it.each(['the end of its standard input', 'SIGTERM'])(
    'stops all its programs and removes its files at %s',
    async (how) => {
      const root = join(folder, `end-${how.length}`);
      const [child, address] = await start({ PATH: slowPath(), WORK_DIR: root });
      const call = post(address, 'merge_pdf', {}, [pdf, pdf]).catch(() => undefined);
      expect(await until(() => sleepers().length > 0)).toBe(true);
      if (how === 'SIGTERM') child.kill('SIGTERM');
      else child.stdin?.end();
      expect(await until(() => child.exitCode === 0)).toBe(true);
      expect(sleepers()).toEqual([]);
      expect(readdirSync(root)).toEqual([]);
      await call;
    },
  );
});
