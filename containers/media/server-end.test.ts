/** How the media worker ends work: after its caller disconnected, if it is hostile, or at shutdown. */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { PdfDocument } from '../../src/pdf/document.ts';
import { readOutlines } from '../../src/pdf/outlines.ts';
import { readStructure } from './operations/pdf/input.ts';
import { inflate } from './operations/pdf/qpdf.ts';
import { manyNames } from './operations/pdf/test-hostile-files.ts';
import {
  body,
  folder,
  pdf,
  post,
  removeFolder,
  requestsLeft,
  SECONDS,
  sleepers,
  slowPath,
  start,
  until,
} from './test-server.ts';

afterAll(removeFolder);

function timeOf(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function readNames(bytes: Uint8Array): void {
  const document = new PdfDocument(bytes, inflate);
  readOutlines(document, readStructure(document).destinations);
}

describe('the media worker', () => {
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

  it.each(['merge_pdf', 'compress_pdf', 'split_pdf'])(
    'answers others while %s reads a name tree of half a million, and ends it when its caller goes away',
    async (operation) => {
      const root = join(folder, `names-${operation}`);
      const [child, address] = await start({ WORK_DIR: root });
      const hostile = manyNames(600_000);
      const readingTakes = timeOf(() => readNames(hostile));
      const files = operation === 'merge_pdf' ? [pdf, hostile] : [hostile];
      const stop = new AbortController();
      const { bytes, manifest } = body({ ranges: ['1'] }, files);
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
      let longest = 0;
      let answers = 0;
      const started = performance.now();
      while (running && performance.now() - started < readingTakes / 2) {
        const requested = performance.now();
        await (await fetch(`${address}/health`)).arrayBuffer();
        longest = Math.max(longest, performance.now() - requested);
        answers += 1;
        await sleep(10);
      }
      expect(running).toBe(true);
      expect(answers).toBeGreaterThan(3);
      // In its own thread it would have been blocked for all that time.
      expect(longest).toBeLessThan(readingTakes / 3);
      stop.abort();
      await call.catch(() => undefined);
      expect(await until(() => requestsLeft(root).length === 0, 1000)).toBe(true);
      child.kill();
    },
  );

  it('leaves no program behind that worked beside one that failed', async () => {
    const directory = join(folder, 'half');
    const root = join(folder, 'half-work');
    mkdirSync(directory);
    const script = `#!/bin/sh\ncase "$*" in *-raw*) exec sleep ${SECONDS};; esac\nsleep 0.5; exit 1\n`;
    writeFileSync(join(directory, 'pdftotext'), script, { mode: 0o755 });
    const [child, address] = await start({
      PATH: `${directory}:${process.env.PATH}`,
      WORK_DIR: root,
    });
    const call = post(address, 'parse_document', {}, [pdf]);
    expect(await until(() => sleepers().length > 0, 5000)).toBe(true);
    expect((await call).status).toBe(400);
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
    const call = post(address, 'merge_pdf', {}, [pdf, pdf]);
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
      const call = post(address, 'merge_pdf', {}, [pdf, pdf]).catch(() => undefined);
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
